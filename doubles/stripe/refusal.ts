/** An error of Stripe's API (https://docs.stripe.com/api/errors), with the status that it is answered with. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>
  constructor(status: number, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.status = status
    this.details = { type: status === 402 ? 'card_error' : 'invalid_request_error', ...details }
  }

  /** The body of the response. */
  toJSON(): object {
    return { error: { message: this.message, ...this.details } }
  }
}

/** A parameter whose value Stripe does not accept. */
export function refuse(message: string, param?: string, code?: string): StripeRefusal {
  return new StripeRefusal(400, message, { ...(param && { param }), ...(code && { code }) })
}

/** A documented parameter or value that this double does not implement: ignoring it would hide a difference from Stripe. */
export function notImplemented(param: string): StripeRefusal {
  return refuse(`The double does not implement ${param}.`, param, 'double_not_implemented')
}

/** An id that does not exist in the caller's account. */
export function noSuch(noun: string, id: string, param: string): StripeRefusal {
  return new StripeRefusal(404, `No such ${noun}: '${id}'`, { code: 'resource_missing', param })
}
