import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Guide, type GuideSummary, guideSections } from '#contract/docs.ts'
import { readFrontMatter } from '#server/platform/markdown/front-matter.ts'
import { type Passage, renderMarkdown } from '#server/platform/markdown/render-markdown.ts'

/** A guide with everything that is derived from its text. */
export interface RenderedGuide extends Guide {
  /** Its text, with this instance's address in it. */
  readonly markdown: string
  readonly passages: readonly Passage[]
}

export interface GuideSource {
  readonly folder: string
  /** Stands in the place of `{{host}}`. */
  readonly appUrl: string
  /** Address below which the files can be changed; null: none is shown. */
  readonly editUrl: string | null
}

/** The placeholder of a project’s key, until the page knows the reader’s own. */
const anyKey = 'YOUR_KEY'
const longestDescription = 160

/** Reads and renders all guides of a folder, in reading order. Other work continues between two of them. */
export async function readGuides(source: GuideSource): Promise<readonly RenderedGuide[]> {
  const names = (await readdir(source.folder)).filter((name) => /^[a-z0-9-]+\.md$/.test(name))
  const guides = []
  for (const name of names) guides.push(renderGuide(name, await readFile(join(source.folder, name), 'utf8'), source))
  return linkNeighbours(guides.sort(compareGuides).map(({ guide }) => guide))
}

interface PlacedGuide {
  readonly guide: Omit<RenderedGuide, 'previous' | 'next'>
  /** Its place in its section. */
  readonly order: number
}

function renderGuide(name: string, file: string, { appUrl, editUrl }: GuideSource): PlacedGuide {
  const { fields, body } = readFrontMatter(file)
  const markdown = fillIn(body, appUrl)
  const { html, title, headings, passages } = renderMarkdown(markdown, { resolveLink })
  const order = Number(fields.order || Number.NaN)
  const guide = {
    path: name.replace(/\.md$/, ''),
    title: fields.title || title,
    description: fields.description || shorten(passages[0]?.text ?? ''),
    section: fields.section || 'Help',
    changed: fields.changed || null,
    html: markKeys(linkHeadings(html)),
    headings: [...headings],
    editUrl: editUrl === null ? null : `${editUrl}/${name}`,
    markdown: markdown.replaceAll('{{key}}', anyKey).trimStart(),
    passages: passages.map((passage) => ({ ...passage, text: passage.text.replaceAll('{{key}}', anyKey) })),
  }
  return { guide, order: Number.isFinite(order) ? order : Number.POSITIVE_INFINITY }
}

/** Texts say `https://{{host}}`: an instance without TLS has another scheme. */
function fillIn(body: string, appUrl: string): string {
  return body
    .replaceAll('https://{{host}}', appUrl)
    .replaceAll('{{host}}', appUrl.replace(/^https?:\/\//, ''))
    .replaceAll('](../../.env.example)', '](/docs/env-example)')
}

/** The page of another guide instead of its file. */
function resolveLink(href: string): string {
  return href.replace(/^(?:\.\/)?([a-z0-9-]+)\.md(?=[?#]|$)/, '/docs/guides/$1')
}

/** Headings lead to themselves, so that readers can copy the address; not those that contain another link. */
function linkHeadings(html: string): string {
  return html.replaceAll(
    /<(h[2-6]) id="([^"]+)">((?:(?!<a |<\/h[2-6]>).)+)<\/\1>/g,
    (_whole, tag: string, id: string, inner: string) =>
      `<${tag} id="${id}"><a href="#${encodeURIComponent(id)}">${inner}</a></${tag}>`,
  )
}

/** Code contains no element of its own, so that nothing but text is between its tags. */
function markKeys(html: string): string {
  return html.replaceAll(/<code>[^<]*<\/code>/g, (code) =>
    code.replaceAll('{{key}}', `<span data-key>${anyKey}</span>`),
  )
}

/** The first sentences that have room. */
function shorten(text: string): string {
  if (text.length <= longestDescription) return text
  const start = text.slice(0, longestDescription)
  const end = start.lastIndexOf('. ')
  return end > 0 ? start.slice(0, end + 1) : `${start.slice(0, start.lastIndexOf(' '))}…`
}

const sections: readonly string[] = guideSections
const placeOf = (section: string) => (sections.includes(section) ? sections.indexOf(section) : sections.length)

function compareGuides(a: PlacedGuide, b: PlacedGuide): number {
  const [first, second] = [a.guide, b.guide]
  if (first.section !== second.section) {
    return placeOf(first.section) - placeOf(second.section) || (first.section < second.section ? -1 : 1)
  }
  if (a.order !== b.order) return a.order - b.order
  return first.title.localeCompare(second.title, 'en')
}

function linkNeighbours(guides: readonly PlacedGuide['guide'][]): readonly RenderedGuide[] {
  const linkTo = (index: number) => {
    const guide = guides[index]
    return guide ? { path: guide.path, title: guide.title } : null
  }
  return guides.map((guide, index) => ({ ...guide, previous: linkTo(index - 1), next: linkTo(index + 1) }))
}

/** What lists show of a guide. */
export function summarise({ path, title, description, section, changed }: GuideSummary): GuideSummary {
  return { path, title, description, section, changed }
}
