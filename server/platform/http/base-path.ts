/**
 * The path below which the product is reached, from `APP_URL`: `/feedback` for `https://example.org/feedback`, empty for
 * an address without a path.
 */
export function readBasePath(appUrl: string): string {
  return new URL(appUrl).pathname.replace(/\/+$/, '')
}

/**
 * A request's URL as routes know it, without the base path. Other URLs stay as they are: a load balancer on the same machine
 * asks `/health` of the process itself.
 */
export function stripBasePath(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  // `/feedback-form` is not below `/feedback`.
  return rest.startsWith('/') ? rest : url
}
