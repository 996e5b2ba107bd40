import { type MailContent, type RenderedMail, renderMail } from '../mail-layout.ts'
import { layout } from './layout.template.ts'
import { fill, splitParagraphs } from './notation.ts'
import { presentWords, tellValues } from './present-words.ts'
import type { Template, Words } from './template.ts'

/** What an email has besides words. */
interface MailParts<V extends string, P extends string, L extends string> {
  readonly appUrl: string
  readonly values: Readonly<Record<V, string>>
  /** Phrases whose condition is met. */
  readonly phrases?: Partial<Readonly<Record<P, boolean>>>
  /** Default: the product's name. */
  readonly brand?: string
  /** Passages of the paragraphs to emphasise: addresses, names. */
  readonly strong?: readonly string[]
  /** Behind those of the template. */
  readonly paragraphs?: readonly string[]
  readonly letter?: string
  /** With the words `quoteIntro`. */
  readonly quote?: string
  readonly items?: MailContent['items']
  readonly facts?: MailContent['facts']
  /** With the words `button`, unless a line is named. */
  readonly action?: { readonly url: string; readonly label?: L }
  /** With the words `codeIntro`. */
  readonly code?: string
  /** An email to a member has the way to stop such emails as its last small print. */
  readonly unsubscribeUrl?: string
}

export interface OpenTemplate<V extends string, P extends string, L extends string> {
  /** One of its lines. */
  say(line: L, values?: Readonly<Record<string, string>>): string
  render(parts: MailParts<V, P, L>): RenderedMail
}

/** Takes the present words of a template and of what surrounds every email. */
export function openTemplate<V extends string, P extends string, L extends string>(
  template: Template<V, P, L>,
  appUrl: string,
): OpenTemplate<V, P, L> {
  const book = presentWords()
  const words: Words = { ...template.defaultWords, ...book.get(template.id) }
  const frame: Words = { ...layout.defaultWords, ...book.get(layout.id) }
  const common = { product: frame.product ?? '', host: new URL(appUrl).host }
  const say = (field: string, given: Readonly<Record<string, string>> = {}) => {
    const values = { ...given, ...common }
    tellValues(template.id, values)
    return fill(words[field] ?? '', values)
  }
  return { say, render: (parts) => render(template, { words, frame, common }, parts) }
}

interface Taken {
  readonly words: Words
  readonly frame: Words
  readonly common: Readonly<Record<'product' | 'host', string>>
}

function render<V extends string, P extends string, L extends string>(
  template: Template<V, P, L>,
  { words, frame, common }: Taken,
  parts: MailParts<V, P, L>,
): RenderedMail {
  const { appUrl, phrases = {}, brand, strong = [], paragraphs = [], letter, items, facts } = parts
  const variables: Record<string, string> = { ...Object.fromEntries(Object.entries<string>(parts.values)), ...common }
  const met = Object.entries<boolean | undefined>(phrases).filter(([, isMet]) => isMet)
  const values = {
    ...variables,
    ...Object.fromEntries(met.map(([name]) => [name, fill(words[name] ?? '', variables)])),
  }
  tellValues(template.id, values)
  const say = (field: string) => fill(words[field] ?? '', values)
  const list = (field: string) =>
    splitParagraphs(words[field] ?? '')
      .map((paragraph) => fill(paragraph, values))
      .filter((paragraph) => paragraph !== '')
  const { quote, action, code, unsubscribeUrl } = parts
  const settingsUrl = `${appUrl}/dashboard/settings/notifications`
  const frameValues = { ...common, settingsUrl, unsubscribeUrl: unsubscribeUrl ?? '' }
  tellValues(layout.id, frameValues)
  const endings = unsubscribeUrl === undefined ? [] : [frame.settings, frame.unsubscribe]
  return renderMail({
    ...{ kind: template.kind, brand: brand ?? common.product, subject: say('subject'), preview: say('preview') },
    ...{ title: say('title'), paragraphs: [...list('paragraphs'), ...paragraphs], strong },
    ...(letter !== undefined && { letter }),
    ...(quote !== undefined && { quote: { intro: say('quoteIntro'), text: quote } }),
    ...(items && { items }),
    ...(facts && { facts }),
    ...(action && { action: { label: say(action.label ?? 'button'), url: action.url } }),
    ...(code !== undefined && { code: { intro: say('codeIntro'), value: code } }),
    notes: [...list('notes'), ...endings.map((ending) => fill(ending ?? '', frameValues))],
    ...{ appUrl, footer: fill(frame.footer ?? '', common), buttonHelp: fill(frame.buttonHelp ?? '', common) },
  })
}
