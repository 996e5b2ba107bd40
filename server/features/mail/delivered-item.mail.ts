import type { RenderedMail } from './mail-layout.ts'
import { breakLinks, quoteName } from './quote-name.ts'
import { deliveredItem } from './templates/feedback.templates.ts'
import { openTemplate } from './templates/open-template.ts'

/** An event of an item, as an integration emails it to members. */
export interface DeliveredItemMail {
  /** Null: it no longer exists. */
  readonly item: { readonly projectName: string; readonly type: string; readonly number: number } | null
  /** What happened; names members, never visitors. */
  readonly sentence: string
  /** Words of a visitor or a member; empty: none, or emails don't quote them. */
  readonly text: string
  readonly facts: readonly { readonly label: string; readonly value: string }[]
  readonly consoleErrors: readonly string[]
  /** Null: it no longer exists, or this is a test. */
  readonly itemUrl: string | null
  readonly pictureUrl: string | null
  readonly organizationName: string
  readonly appUrl: string
}

const maxQuoteLength = 4000

/** Tells a member about an event of an item. The subject contains no visitor's words. */
export function renderDeliveredItem(mail: DeliveredItemMail): RenderedMail {
  const { item, facts, consoleErrors, pictureUrl, appUrl } = mail
  const itemUrl = mail.itemUrl ?? `${appUrl}/dashboard/feedback`
  const sentence = breakLinks(mail.sentence)
  const organization = quoteName(mail.organizationName)
  const characters = [...mail.text]
  const text = characters.length > maxQuoteLength ? `${characters.slice(0, maxQuoteLength).join('')}…` : mail.text
  const opened = openTemplate(deliveredItem, appUrl)
  return opened.render({
    appUrl,
    values: {
      organization,
      source: item === null ? organization : quoteName(item.projectName),
      event: sentence.replace(/\.$/, ''),
      excerpt: breakLinks(text.slice(0, 200)),
      integrationsUrl: `${appUrl}/dashboard/integrations`,
    },
    phrases: { withoutText: text === '' },
    items: [
      ...(item === null ? [] : [{ title: nameItem(item), url: itemUrl, text: breakLinks(text) }]),
      ...(pictureUrl === null ? [] : [{ title: opened.say('screenshot'), url: pictureUrl }]),
    ],
    facts: [
      ...facts.map(({ label, value }) => ({ label: breakLinks(label), value: breakLinks(value) })),
      ...consoleErrors.map((error) => ({ label: opened.say('console'), value: breakLinks(error) })),
    ],
    action: { url: itemUrl },
  })
}

function nameItem({ type, number, projectName }: NonNullable<DeliveredItemMail['item']>): string {
  return `${type} #${number} · ${quoteName(projectName)}`
}
