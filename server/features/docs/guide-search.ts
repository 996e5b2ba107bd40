import MiniSearch from 'minisearch'
import type { GuidePassage } from '#contract/docs.ts'
import type { RenderedGuide } from './read-guides.ts'

export type SearchGuides = (query: string) => GuidePassage[]

interface IndexedPassage extends Omit<GuidePassage, 'excerpt'> {
  readonly key: number
  /** The guide's title, in its first passage alone: that is the best answer to a guide's name. */
  readonly name: string
  readonly text: string
}

const maxResults = 10
/** So that one long guide leaves room for others. */
const maxPerGuide = 3
/** A longer question is a sentence: its first words say what it is about. */
const maxWords = 12
const excerptLength = 150
/** Words of questions, which nearly every passage contains. */
const commonWords = new Set(
  'a an and are as at be by can do does for from how i in is it my of on or that the this to what when where with you your'.split(
    ' ',
  ),
)

/** Makes an index over the passages of all guides. Other work continues meanwhile. */
export async function indexGuides(guides: readonly RenderedGuide[]): Promise<SearchGuides> {
  const index = new MiniSearch<IndexedPassage>({
    idField: 'key',
    fields: ['name', 'heading', 'title', 'text'],
    processTerm: (term) => {
      const word = term.toLowerCase()
      return commonWords.has(word) ? null : word
    },
    searchOptions: {
      boost: { name: 8, heading: 3, title: 1.5 },
      // A single letter begins a tenth of all words.
      prefix: (term) => term.length > 1,
      // One mistake in a short word, two in a long one.
      fuzzy: (term) => (term.length > 3 ? 0.2 : false),
      maxFuzzy: 2,
    },
  })
  const passages = guides.flatMap(listPassages).map((passage, key) => ({ ...passage, key }))
  await index.addAllAsync(passages, { chunkSize: 50 })

  return (query) => {
    const words = query.split(/[\s\p{Punctuation}]+/u).filter((word) => word !== '')
    const asked = words.slice(0, maxWords).join(' ')
    // Passages that contain all words, then those that contain some.
    const all = index.search(asked, { combineWith: 'AND' })
    const known = new Set(all.map(({ id }) => id))
    const found = [...all, ...index.search(asked).filter(({ id }) => !known.has(id))]
    const counts = new Map<string, number>()
    const results: GuidePassage[] = []
    for (const { id, terms } of found) {
      const passage = passages[Number(id)]
      if (!passage) continue
      const count = counts.get(passage.path) ?? 0
      counts.set(passage.path, count + 1)
      if (count >= maxPerGuide) continue
      const { path, title, section, id: anchor, heading, text } = passage
      results.push({ path, title, section, id: anchor, heading, excerpt: excerpt(text, terms) })
      if (results.length === maxResults) break
    }
    return results
  }
}

function listPassages(guide: RenderedGuide): Omit<IndexedPassage, 'key'>[] {
  const { path, title, section, description, passages } = guide
  const place = { path, title, section }
  const text = passages.find(({ id }) => id === '')?.text ?? ''
  // A description that was taken from the text is not repeated.
  const isTaken = text.startsWith(description.replace(/…$/, ''))
  const beginning = { ...place, id: '', heading: '', name: title, text: isTaken ? text : `${description} ${text}` }
  const others = passages.filter(({ id }) => id !== '')
  return [beginning, ...others.map((passage) => ({ ...place, ...passage, name: '' }))]
}

/** The text around the first of the words, cut between words. */
function excerpt(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0)
  const at = Math.max(0, Math.min(...places, text.length) - excerptLength / 3)
  const from = places.length === 0 || at === 0 ? 0 : text.indexOf(' ', at) + 1
  if (text.length - from <= excerptLength) return `${from > 0 ? '…' : ''}${text.slice(from)}`.trim()
  const to = text.lastIndexOf(' ', from + excerptLength)
  return `${from > 0 ? '…' : ''}${text.slice(from, to > from ? to : from + excerptLength).trim()}…`
}
