import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts'
import type { DeliveryFailure } from './delivery-failure.ts'

/** A request to the service, as a type writes it. */
export interface ServiceRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, with its content type. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly body?: string
  /** Reads the service's own errors, at every status. Undefined: the status alone decides. */
  readonly judge?: (answer: OutboundAnswer) => DeliveryFailure | undefined
  /** A longer answer is an error. Default: what is beyond 65,536 is cut. */
  readonly maxAnswerBytes?: number
  /** The answer is a secret: the log leaves it out. */
  readonly hidesAnswer?: boolean
}
