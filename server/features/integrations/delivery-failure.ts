/** What a failed attempt means for the deliveries to come. */
export type FailureKind =
  /** It may work later. */
  | 'retry'
  /** The service refuses this delivery alone, permanently. */
  | 'refused'
  /** The service wants no more deliveries. */
  | 'gone'

/** A delivery that did not arrive. The message is a sentence for the owners. */
export class DeliveryFailure extends Error {
  readonly kind: FailureKind
  /** Seconds that the service asked to be left alone for. */
  readonly retryAfterSeconds: number | undefined
  /** HTTP status of the answer; undefined: there was none. */
  readonly status: number | undefined

  constructor(
    message: string,
    options: { kind?: FailureKind; retryAfterSeconds?: number | undefined; status?: number | undefined } = {},
  ) {
    super(message)
    this.kind = options.kind ?? 'retry'
    this.retryAfterSeconds = options.retryAfterSeconds
    this.status = options.status
  }
}

/** A service's own words for its errors: what each means, and a sentence for the owners. */
export type KnownFailures = Readonly<Record<string, readonly [kind: FailureKind, sentence: string]>>

/** Undefined: the service's word is not among those that are known. */
export function findFailure(
  known: KnownFailures,
  word: string,
  options: { retryAfterSeconds?: number } = {},
): DeliveryFailure | undefined {
  const [kind, sentence] = (Object.hasOwn(known, word) && known[word]) || []
  return kind && sentence ? new DeliveryFailure(sentence, { ...options, kind }) : undefined
}
