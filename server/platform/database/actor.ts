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

/** Somebody for whom work is done later, without a token: sees and may do what they could if they asked now. */
export function actFor(userId: string, organizationId: string): Actor {
  return { userId, organizationId, sessionId: '', email: '', claims: { role: 'authenticated' } }
}
