/**
 * The address of a picture that this instance keeps, else undefined: pages load nothing from elsewhere, so that a
 * picture at a provider stays there and initials stand for it.
 *
 * @param origin of the page
 */
export function findOwnPicture(avatarUrl: string | null | undefined, origin: string): string | undefined {
  if (!avatarUrl || !URL.canParse(avatarUrl, origin)) return undefined
  const url = new URL(avatarUrl, origin)
  return url.origin === origin && url.pathname.startsWith('/api/v1/avatars/') ? url.pathname : undefined
}
