import { withBasePath, withoutBasePath } from '../../../lib/base-path.ts'

/** A mailed link whose own target isn't allowed comes out at the front page: the screens of sign-in handle what it says. */
export function leaveForSignIn(): void {
  const { pathname, search, hash } = window.location
  if (withoutBasePath(pathname) !== '/') return
  const parameters = [new URLSearchParams(search), new URLSearchParams(hash.slice(1))]
  const has = (name: string) => parameters.some((each) => each.has(name))
  if (has('error') || has('error_code')) window.location.replace(withBasePath(`/login${search}${hash}`))
  else if (has('code') || has('access_token')) window.location.replace(withBasePath(`/auth/callback${search}${hash}`))
}
