/*
 * What tests over the whole product must know of each noun: who may do what with its tables, who may call its functions,
 * what its routes accept. It stands beside the noun, in `<noun>.facts.ts`; the tests fail where something is missing.
 */

/** Ids of one organisation's rows. `spare` belongs to no organisation. */
export interface Tenant {
  readonly organizationId: string
  readonly projectId: string
  readonly emptyProjectId: string
  readonly feedbackId: string
  readonly ownerId: string
  readonly viewerId: string
  readonly spareId: string
  /** A member who has a row of their own in each table of personal rows. */
  readonly picturedId: string
}

/**
 * Outcomes of select, insert, update and delete: `s i u d` the verb works; `.` the row is out of reach; `-` the role may
 * not use the verb on this table.
 */
export type Rights = readonly [anon: string, outsiders: string, members: string, owners: string, service: string]

export interface TableFacts {
  readonly rights: Rights
  /** What a key of the tenant's first project may do. Default: nothing, not even name the table. */
  readonly keyRights?: string
  /** Columns that a member's UPDATE may name, in order of the alphabet. */
  readonly changeable?: readonly string[]
  /** Adds the row that the verbs are tried on, where building an organisation does not. Tables are made in this order. */
  readonly make?: (tenant: Tenant) => string
  /** Names that row. */
  readonly row: (tenant: Tenant) => string
  /** What an UPDATE sets. */
  readonly change: string
  /** What follows `insert into <table>` to add another row. */
  readonly add: (tenant: Tenant, callerId: string) => string
}

/** What a body may refer to. */
export interface SampleContext {
  readonly organizationId: string
  readonly projectId: string
  readonly feedbackId: string
  readonly integrationId: string
  /** Number of another item of the same project. */
  readonly otherNumber: number
  /** Different at each call. */
  readonly tag: string
  readonly leaverEmail: string
  /** A member other than the caller. */
  readonly memberId: string
}

export interface RouteFacts {
  /** What each role sends. Default: an empty object. */
  readonly body?: (context: SampleContext) => unknown
  /** A body that names every field, which is then sent with each field spoilt. Default: `body`. */
  readonly fullBody?: (context: SampleContext) => Record<string, unknown>
  /** What a route has to be asked, whatever else. */
  readonly query?: string
  /** Run as the database's owner before each role's call: restores what the call before has deleted. */
  readonly renew?: (ids: { readonly organizationId: string } & Readonly<Record<string, string>>) => string
  /** The error's code that callers get who may use it, because it asks a service that tests over all routes have not. */
  readonly refusal?: string
  /** Run after each role's call: undoes what would refuse the calls of other routes. */
  readonly undo?: (ids: { readonly organizationId: string }) => string
}

/** Where a parameter of an address comes from. */
export interface IdFacts {
  readonly table: string
  /** Which of the row's columns the parameter is. Default: `id`. */
  readonly column?: string
  /** Each call gets a row of its own, which belongs to the caller: others don't see it, or the call deletes it. */
  readonly isCallersOwn?: boolean
}

/** What a route outside the contracts asks of its caller. */
export type Gate =
  | 'nothing'
  | 'widget key'
  | 'secret address'
  | 'signed call'
  | 'one-time secret'
  | 'publishable key'
  | 'access token'
  | 'service key'
  | 'agent token'

/** Calls a route below the organisation's path. @throws Error on a refusal. */
export type OwnerCall = (path: string, options?: { method?: string; body?: unknown }) => Promise<Response>

export interface Facts {
  /** By name with its schema. */
  readonly tables?: Readonly<Record<string, TableFacts>>
  /** Who may execute a function, besides its owner. */
  readonly functions?: Readonly<Record<string, readonly string[]>>
  /** Functions that PostgreSQL inlines, with the reason: they have no search path and call built-in functions alone. */
  readonly inlined?: Readonly<Record<string, string>>
  /** Tables whose owner passes row-level security, with the reason. */
  readonly unforced?: Readonly<Record<string, string>>
  /** Tables in public whose key does not begin with organization_id, with the reason. */
  readonly withoutTenant?: Readonly<Record<string, string>>
  /** Checksums (SHA-256) of the noun's migrations. A shipped migration is never edited: a change is another one. */
  readonly migrations?: Readonly<Record<string, string>>
  /** By parameter of an address, such as `exportId`. */
  readonly ids?: Readonly<Record<string, IdFacts>>
  /** Routes outside the contracts, by method and address. */
  readonly gates?: Readonly<Record<string, Gate>>
  /** Text columns of an organisation's rows that keep their values when tests plant text in all others, with the reason. */
  readonly withoutCanary?: Readonly<Record<string, string>>
  /** By operation. */
  readonly routes?: Readonly<Record<string, RouteFacts>>
  /** Acts over HTTP, as an owner, by the event that each records. They return the ids that the event names. */
  readonly events?: Readonly<Record<string, (call: OwnerCall) => Promise<readonly string[]>>>
}

/** Several routes with one gate. */
export function gateOf(gate: Gate, addresses: readonly string[]): Readonly<Record<string, Gate>> {
  return Object.fromEntries(addresses.map((address) => [address, gate]))
}

export const inOrganization = ({ organizationId }: Tenant) => `organization_id = '${organizationId}'`

/** An id as SQL: the caller's, or one made up where the caller has none. */
export const idOf = (callerId: string) => (callerId ? `'${callerId}'` : 'gen_random_uuid()')
