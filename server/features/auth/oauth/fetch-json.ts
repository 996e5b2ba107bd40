import { isJsonObject, type JsonObject } from '../protocol/request-body.ts'

/** A failure of a provider: unreachable, a refusal, or an invalid response. */
export class ProviderError extends Error {
  /** Whether a retry may work. */
  readonly isTemporary: boolean

  constructor(message: string, { isTemporary = false, cause }: { isTemporary?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'ProviderError'
    this.isTemporary = isTemporary
  }
}

const maxAnswerBytes = 128 * 1024

/**
 * Asks a provider for a JSON object. Follows no redirect: the request contains a secret for the configured host only.
 *
 * @throws ProviderError also for an answer that is too long, too late (`signal`) or anything but JSON.
 */
export async function fetchJson(
  url: string,
  init: { signal: AbortSignal; method?: 'POST'; headers?: Record<string, string>; body?: URLSearchParams },
): Promise<JsonObject> {
  const host = new URL(url).host
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      ...init,
      headers: { accept: 'application/json', ...init.headers },
      redirect: 'manual',
    })
    text = await readCapped(response, host)
  } catch (error) {
    if (error instanceof ProviderError) throw error
    throw new ProviderError(`${host} is unreachable`, { isTemporary: true, cause: error })
  }
  if (!response.ok) {
    const reason = readReason(text)
    throw new ProviderError(`${host} answered ${response.status}${reason}`, { isTemporary: response.status >= 500 })
  }
  const value = parse(text)
  if (!isJsonObject(value)) throw new ProviderError(`${host} did not answer with a JSON object`)
  return value
}

async function readCapped(response: Response, host: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxAnswerBytes) throw new ProviderError(`${host} answered with more than ${maxAnswerBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

// The codes of RFC 6749 help the operator, `invalid_client` most of all. The rest of the response is not logged.
function readReason(text: string): string {
  const value = parse(text)
  const error = isJsonObject(value) ? value.error : undefined
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? `: ${error}` : ''
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
