import { AsyncLocalStorage } from 'node:async_hooks'

/** Who causes what the running code does, and from where, as events and the audit log record it. */
export interface Origin {
  /** `superadmin`: in an organisation that is not theirs, or by a call for superadmins alone. `visitor`: anyone without an account, and without a session. */
  readonly kind: 'user' | 'api_key' | 'superadmin' | 'visitor' | 'system'
  /** Of the user, or of the API key. */
  readonly userId?: string
  /** Name of the app that makes the request in the user's name. */
  readonly agent?: string
  /** The impersonation by which the request is made. */
  readonly impersonationId?: string
  /** The superadmin who makes the request as the user. */
  readonly impersonatorId?: string
  /** Every transaction of the request is read only, whatever role it takes on. */
  readonly isReadOnly?: true
  readonly requestId?: string
  /** Address and browser of a user's request. A visitor's are never recorded. */
  readonly ip?: string
  readonly userAgent?: string
  /** Name of the job, where no request is answered. */
  readonly job?: string
}

const origins = new AsyncLocalStorage<Origin>()

/*
 * Ambient, unlike the connection: services would pass it on for events only, and one that forgot would lose it silently.
 */

/** Runs `fn`, and whatever it starts, on behalf of a request or a job. */
export function withOrigin<T>(origin: Origin, fn: () => T): T {
  return origins.run(origin, fn)
}

/** Whether the running code answers a request that may change nothing. */
export function isReadOnlyOrigin(): boolean {
  return origins.getStore()?.isReadOnly === true
}

/** The origin as JSON for the setting `app.origin` of a transaction; empty outside of requests and jobs. */
export function writeOrigin(): string {
  const origin = origins.getStore()
  return origin ? JSON.stringify(origin) : ''
}
