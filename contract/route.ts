import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { KeyScope } from './key-scope.ts'
import type { Permission } from './permissions.ts'

/**
 * Who may call a route. The server turns this into the guard that runs before the handler, so a route without a
 * stated access cannot be written.
 *
 * - `public`: anyone.
 * - `signed_in`: a user with a valid access token and a verified address.
 * - `organization`: such a user who is a member of `{organizationId}` and holds the permission.
 * - `superadmin`: someone who runs the instance.
 * - `api_key`: a program with a project's API key of that scope. It reaches that project alone.
 */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'signed_in' }
  | { readonly kind: 'superadmin' }
  | {
      readonly kind: 'organization'
      readonly permission: Permission
      /** Also while the organisation is closed, which refuses all other routes with `organization_closed`. */
      readonly evenClosed?: true
      /**
       * Also while the organisation is suspended, which refuses all other routes with `organization_suspended`: for its
       * members with the permission, or for its owners alone. Superadmins pass in any case.
       */
      readonly evenSuspended?: 'members' | 'owners'
    }
  | { readonly kind: 'api_key'; readonly scope: KeyScope }

/** Which rate limit counts a call. The limits themselves are the server's configuration. */
export type RateClass = 'read' | 'write' | 'ingest' | 'none'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * What browser and server agree on for one operation: the server validates in and serialises out with it, the web
 * client infers its types from it, and the OpenAPI document is printed from it.
 */
export interface RouteContract {
  /** Unique across the API; names the operation in OpenAPI. */
  readonly operationId: string
  readonly method: Method
  /** OpenAPI style: `/api/v1/organizations/{organizationId}/projects`. */
  readonly path: string
  /** One line, imperative: what the call does. */
  readonly summary: string
  readonly tag: string
  readonly params?: TObject
  /** Headers with a meaning for this operation, in lower case. */
  readonly headers?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** Largest request body accepted, in bytes. Default 1 MiB. */
  readonly maxBodyBytes?: number
  /**
   * For the reference of the public API: path, query and body of a call, in one object. `$NAME` stands for a value of the
   * reader's own.
   */
  readonly example?: Readonly<Record<string, unknown>>
  /** Success replies by status. Every error reply is a {@link Problem} and is derived from `errors`. */
  readonly replies: Readonly<Record<number, TSchema>>
  /** Error codes beyond those that access and validation imply. */
  readonly errors: readonly ErrorCode[]
  readonly access: Access
  /**
   * What a superadmin may do who acts as the caller (`server/platform/http/judge-impersonation.ts`). Default: read; write in
   * organisations where the impersonation allows changes; write nothing of the account.
   *
   * - `refused`: never, not even read.
   * - `allowed`: always, also a write while reading only.
   */
  readonly impersonation?: 'refused' | 'allowed'
  readonly rate: RateClass
}

/** Declares a route contract and keeps its exact type. */
export function route<const R extends RouteContract>(contract: R): R {
  return contract
}

type StaticOr<S, Fallback> = S extends TSchema ? Static<S> : Fallback

export type ParamsOf<R extends RouteContract> = StaticOr<R['params'], Record<string, never>>
export type QueryOf<R extends RouteContract> = StaticOr<R['query'], Record<string, never>>
export type BodyOf<R extends RouteContract> = StaticOr<R['body'], undefined>
export type ReplyOf<R extends RouteContract> = {
  [Status in keyof R['replies']]: StaticOr<R['replies'][Status], undefined>
}[keyof R['replies']]
