import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts'
import { DeliveryFailure } from './delivery-failure.ts'

/**
 * @returns what the service answered, which is as it documents it; null: an answer without content.
 * @throws DeliveryFailure for what is no JSON, such as the page of another server.
 */
export function readJson<Answer>({ body }: Pick<OutboundAnswer, 'body'>, service: string): Answer {
  const text = body.toString() || 'null'
  try {
    // As the service documents it.
    return JSON.parse(text) as Answer
  } catch {
    throw new DeliveryFailure(`The answer is not ${service}’s. Is the address right?`)
  }
}

/** Undefined: what was asked for does not exist, or can't be seen. */
export async function orMissing<Answer>(
  asked: Promise<Answer>,
  statuses: readonly number[] = [404],
): Promise<Answer | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof DeliveryFailure && error.status !== undefined && statuses.includes(error.status))
      return undefined
    throw error
  }
}
