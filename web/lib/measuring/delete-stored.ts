/** Deletes what a service stored in this browser: entries of local storage and cookies, by how their names begin. */
export function deleteStored(isOwn: (name: string) => boolean): void {
  try {
    for (const name of Object.keys(window.localStorage)) if (isOwn(name)) window.localStorage.removeItem(name)
    for (const cookie of document.cookie.split('; ')) {
      const name = cookie.split('=')[0] ?? ''
      if (isOwn(name)) expireCookie(name)
    }
  } catch {
    // Forbidden storage contains nothing.
  }
}

/** A cookie is found by its domain, which scripts can't read: of this host, and of each domain above it. */
function expireCookie(name: string): void {
  const labels = window.location.hostname.split('.')
  const domains = ['', ...labels.map((_, index) => `; domain=${labels.slice(index).join('.')}`)]
  for (const domain of domains) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing in browsers that we support
    document.cookie = `${name}=; path=/; max-age=0${domain}`
  }
}
