/** A text without `user:password@` in its http addresses. Also for JSON, which stays valid. */
export function withoutCredentials(text: string): string {
  return text.replace(/(https?:[/\\]*)[^\s/\\?#"]*@/gi, '$1')
}

/** An http address without `user:password@`, read as browsers read it; unchanged if it has none. */
export function withoutUrlCredentials(url: string): string {
  if (!url.includes('@')) return url
  const parsed = new URL(url)
  if (parsed.username === '' && parsed.password === '') return withoutCredentials(url)
  parsed.username = ''
  parsed.password = ''
  return withoutCredentials(parsed.href)
}
