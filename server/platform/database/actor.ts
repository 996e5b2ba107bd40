/** On whose behalf the database is asked: a person, as a verified access token names them, or an API key. */
export interface Actor {
  /** Of an API key: the key's id. */
  readonly userId: string
  readonly sessionId: string
  readonly email: string
  /** The token's claims, which policies read through `request.jwt.claims` as they do under Supabase. */
  readonly claims: Readonly<Record<string, unknown>>
  /** Narrows everything to this organisation; for a superadmin, it is also what opens it. */
  readonly organizationId?: string
  /** The database role to act as. Default: a person's, `authenticated`. */
  readonly role?: 'earshot_api_key'
  /**
   * The rows of a suspended organisation are open, to all its members or to its owners alone. For requests that may be
   * made meanwhile.
   */
  readonly evenSuspended?: 'members' | 'owners'
  /** The database refuses every write. */
  readonly isReadOnly?: boolean
  /** A superadmin acts as this person. */
  readonly impersonation?: Impersonated
}

/** Who acts as someone else. `sessionId` of the actor is then the superadmin's. */
export interface Impersonated {
  readonly id: string
  readonly superadminId: string
  readonly mode: 'read_only' | 'changes'
}

/** An API key as an actor: its role reaches the key's project alone, and histories name the key. */
export function actAsKey(keyId: string, organizationId: string): Actor {
  const role = 'earshot_api_key'
  return { userId: keyId, organizationId, sessionId: '', email: '', claims: { role }, role }
}

/** A user on whose behalf a job runs later, without a token. Each transaction checks their access again. */
export function actFor(userId: string, organizationId: string): Actor {
  return { userId, organizationId, sessionId: '', email: '', claims: { role: 'authenticated' } }
}

/** As {@link actFor}, for exports: owners may take their data away even while the organisation is suspended. */
export function actForExporter(userId: string, organizationId: string): Actor {
  return { ...actFor(userId, organizationId), evenSuspended: 'owners' }
}

export function isKey(actor: Actor): boolean {
  return actor.role === 'earshot_api_key'
}
