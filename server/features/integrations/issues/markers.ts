/* Marks in issues and comments, by which Earshot knows what it has written before, even when it broke off at once. */

/**
 * `hidden`: an HTML comment, for trackers that keep those and show none. `link`: in the address of the link back, for all
 * others.
 */
export type MarkerKind = 'hidden' | 'link'

/** @returns `marker` stands somewhere in the body of an issue that was created for the link. */
export function markIssue(
  kind: MarkerKind,
  { appUrl, feedbackId, linkId }: { appUrl: string; feedbackId: string; linkId: string },
): { marker: string; backLink: string } {
  const backLink = writeItemUrl(appUrl, feedbackId)
  if (kind === 'hidden') return { marker: `<!-- earshot item ${linkId} -->`, backLink }
  const marker = `link=${linkId}`
  return { marker, backLink: `${backLink}&${marker}` }
}

/** The copy of a note, as a comment in Markdown. */
export function markComment(
  kind: MarkerKind,
  { appUrl, feedbackId }: { appUrl: string; feedbackId: string },
  note: { id: string; author: string; text: string },
): string {
  const text = `**${note.author}:** ${note.text}`
  if (kind === 'hidden') return `${text}\n\n<!-- earshot note ${note.id} -->`
  return `${text}\n\n[Earshot](${writeItemUrl(appUrl, feedbackId)}&note=${note.id})`
}

const hiddenPattern = /<!-- earshot note ([0-9a-f-]{36}) -->\s*$/
/** Trackers write links in their own way: only what may follow the address is left open. */
const linkPattern = /[?&]note=([0-9a-f-]{36})[\])>|"]*\s*$/

/** The note that a comment is a copy of; undefined: someone wrote it in the tracker. */
export function readCopied(text: string): string | undefined {
  return (hiddenPattern.exec(text) ?? linkPattern.exec(text))?.[1]
}

function writeItemUrl(appUrl: string, feedbackId: string): string {
  return `${appUrl}/dashboard/feedback?item=${feedbackId}`
}
