const folder = '/accept-invitation/'

/** The screen of an invitation: where its mail leads, and where signing in and up lead back to. */
export function buildInvitationPath(token: string): string {
  return `${folder}${encodeURIComponent(token)}`
}

/** The invitation that a path is about; undefined for every other path. */
export function findInvitationToken(path: string): string | undefined {
  if (!path.startsWith(folder)) return undefined
  try {
    return decodeURIComponent(path.slice(folder.length).split(/[/?#]/)[0] ?? '') || undefined
  } catch {
    return undefined
  }
}
