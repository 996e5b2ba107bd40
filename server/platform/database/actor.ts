/** The person on whose behalf the database is asked, as a verified access token names them. */
export interface Actor {
  readonly userId: string
  readonly sessionId: string
  readonly email: string
  /** The token's claims, which policies read through `request.jwt.claims` as they do under Supabase. */
  readonly claims: Readonly<Record<string, unknown>>
  /** Narrows everything to this organisation; for a superadmin, it is also what opens it. */
  readonly organizationId?: string
}

/** A user on whose behalf a job runs later, without a token. Each transaction checks their access again. */
export function actFor(userId: string, organizationId: string): Actor {
  return { userId, organizationId, sessionId: '', email: '', claims: { role: 'authenticated' } }
}
