import type { DeliveryContent } from '../delivery/read-content.ts'
import { describeItem, type Fact } from '../describe-item.ts'
import { fitText } from '../fit-text.ts'

// https://docs.slack.dev/reference/block-kit/blocks
const maxLengths = { header: 150, text: 3000, field: 2000, url: 3000, alt: 2000 }
const maxFields = 10

/** The three characters that Slack's markup reserves: without them, no mention and no link can be written. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escapeCharacter = (character: string) => entities[character] ?? character

/** A text without markup. */
const plain = (text: string) => ({ type: 'plain_text', text, emoji: false })
/** `verbatim`: addresses, names and channels in it do not become links or mentions. */
const markup = (text: string) => ({ type: 'mrkdwn', text, verbatim: true })

/**
 * A delivery as a message of Slack's Block Kit.
 *
 * @param withPicture false: Slack refuses the whole message when it can't load a picture.
 */
export function writeSlackMessage(content: DeliveryContent, withPicture: boolean) {
  const { title, sentence, text, facts, consoleErrors, url, pictureUrl } = describeItem(content)
  const isShown = withPicture && pictureUrl !== null && pictureUrl.length <= maxLengths.url
  const errors = consoleErrors.join('\n')
  const blocks = [
    { type: 'header', text: plain(fitText(title, maxLengths.header)) },
    { type: 'context', elements: [markup(escapeText(sentence, maxLengths.text))] },
    text !== '' && { type: 'section', text: markup(escapeText(text, maxLengths.text)) },
    facts.length > 0 && { type: 'section', fields: facts.slice(0, maxFields).map(writeFact) },
    errors !== '' && { type: 'section', text: markup(`*Console*\n${escapeText(errors, maxLengths.text - 10)}`) },
    isShown && { type: 'image', image_url: pictureUrl, alt_text: fitText(`Screenshot of ${title}`, maxLengths.alt) },
    url !== null && {
      type: 'actions',
      elements: [{ type: 'button', text: plain('Open in Earshot'), url, action_id: 'open' }],
    },
  ].filter((block) => block !== false)
  // Notifications of phones, and clients without blocks, show this text.
  const fallback = escapeText(`${sentence} ${title}`, maxLengths.text)
  return { text: fallback, blocks, link_names: false, unfurl_links: false, unfurl_media: false }
}

function escapeText(text: string, maxLength: number): string {
  return fitText(text, maxLength, escapeCharacter)
}

function writeFact({ label, value, url }: Fact) {
  const shown = escapeText(value, maxLengths.field / 2)
  const name = `*${escapeText(label, maxLengths.field / 4)}*\n`
  const address = url?.replaceAll('&', '&amp;').replaceAll('|', '%7C')
  const linked = `${name}<${address}|${shown}>`
  return markup(address !== undefined && linked.length <= maxLengths.field ? linked : `${name}${shown}`)
}
