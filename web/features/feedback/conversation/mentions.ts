import { type FeedbackComment, mentionPattern } from '#contract/conversation.ts'

/** A member whom a text names. */
export interface Mention {
  userId: string
  name: string
}

/** A note's text in pieces: words as they are, and names of those it mentions. */
export function splitMentions(
  text: string,
  mentions: FeedbackComment['mentions'],
): { text: string; isMention: boolean }[] {
  const names = new Map(mentions.map(({ userId, name }) => [userId.toLowerCase(), name]))
  // Splitting by a pattern with one group gives words and ids by turns.
  return text
    .split(mentionPattern)
    .map((part, index) =>
      index % 2 === 0
        ? { text: part, isMention: false }
        : { text: names.get(part.toLowerCase()) ?? 'former member', isMention: true },
    )
    .filter((part) => part.text !== '')
}

/** The text as it is sent: names that were picked become ids. A name that was changed by hand is only a word. */
export function writeMentions(text: string, picked: readonly Mention[]): string {
  // The longest first: "@Ann" begins "@Anna", too.
  return picked
    .toSorted((a, b) => b.name.length - a.name.length)
    .reduce((written, { userId, name }) => written.replaceAll(`@${name}`, `<@${userId}>`), text)
}

/** The text typed after an `@` right before the cursor; undefined without a mention. */
export function findMentionQuery(text: string, cursor: number): { start: number; words: string } | undefined {
  const found = /(?:^|[\s([{])@([^\s@][^@\n]{0,30}|)$/u.exec(text.slice(0, cursor))
  if (!found) return undefined
  const words = found[1] ?? ''
  return { start: cursor - words.length - 1, words }
}
