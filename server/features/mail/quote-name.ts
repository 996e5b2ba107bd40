const maxNameLength = 80

/** A user-written name, safe for our emails: one line, not too long, and never a link. */
export function quoteName(name: string): string {
  const line = name.replaceAll(/\s+/g, ' ').trim()
  const short = line.length > maxNameLength ? `${line.slice(0, maxNameLength - 1)}…` : line
  // Mailboxes link any text that looks like a URL. An invisible word joiner prevents it.
  return short.replaceAll(/([.:/@])(?=\S)/g, '$1\u2060')
}

/** Untrusted text, changed so that mailboxes don't link it. */
export function breakLinks(text: string): string {
  return text.replaceAll(/([.:@])(?=\S)/g, '$1\u2060')
}
