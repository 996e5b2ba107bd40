// A token with at least one `%XX`; matches only at a token's start, so that each is tried once.
const encodedToken = /(?<![^\s"<>&=?#;,])[^\s"<>&=?#;,%]*%[0-9a-f]{2}[^\s"<>&=?#;,]*/gi

/**
 * Scrubs URL-encoded values: `?phone=%28555%29+123-4567`. A value is written decoded only if something in it was
 * redacted.
 */
export function scrubEncoded(text: string, scrub: (decoded: string) => string): string {
  if (!text.includes('%')) return text
  return text.replace(encodedToken, (token) => {
    for (const encoded of [token, token.replaceAll('+', ' ')]) {
      const decoded = decode(encoded)
      const scrubbed = scrub(decoded)
      if (scrubbed !== decoded) return scrubbed.replaceAll(' ', '+')
    }
    return token
  })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
