const folder = '/accept-invitation/'

/** The path of an invitation's screen: the target of its email, and of sign-in and sign-up on the way to it. */
export function buildInvitationPath(token: string): string {
  return `${folder}${encodeURIComponent(token)}`
}

/** The invitation token in a path; undefined for every other path. */
export function findInvitationToken(path: string): string | undefined {
  if (!path.startsWith(folder)) return undefined
  try {
    return decodeURIComponent(path.slice(folder.length).split(/[/?#]/)[0] ?? '') || undefined
  } catch {
    return undefined
  }
}
