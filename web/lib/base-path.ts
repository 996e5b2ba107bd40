/*
 * The path below which the app is served: empty, or `/feedback` where APP_URL is https://example.org/feedback. Links of the
 * router have it by themselves; every other address of our own gets it here.
 */

let path = typeof document === 'undefined' ? '' : readFromOwnAddress(import.meta.url)

/** Built files are in `{base path}/assets`. Sources, while developing, are not: they are served at the root. */
function readFromOwnAddress(address: string): string {
  return /^\w+:\/\/[^/]+(.*)\/assets\//.exec(address)?.[1] ?? ''
}

/** For the server, which renders the pages of one instance. */
export function setBasePath(value: string): void {
  path = value
}

/** An address of this app, such as `/login`, as browsers ask for it. */
export function withBasePath(address: string): string {
  return path + address
}

/** A path of `window.location` as the router has it. */
export function withoutBasePath(pathname: string): string {
  return pathname.startsWith(`${path}/`) ? pathname.slice(path.length) : pathname === path ? '/' : pathname
}
