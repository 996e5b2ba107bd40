const maxNameLength = 80

/** A name that users wrote, as it may stand in a mail of ours: one line, not too long, and never a link. */
export function quoteName(name: string): string {
  const line = name.replaceAll(/\s+/g, ' ').trim()
  const short = line.length > maxNameLength ? `${line.slice(0, maxNameLength - 1)}…` : line
  // Mailboxes make links of whatever looks like an address. A word joiner, which nobody sees, stops that.
  return short.replaceAll(/([.:/@])(?=\S)/g, '$1\u2060')
}

/** What anybody may have written, so that mailboxes make no links of it. */
export function breakLinks(text: string): string {
  return text.replaceAll(/([.:@])(?=\S)/g, '$1\u2060')
}
