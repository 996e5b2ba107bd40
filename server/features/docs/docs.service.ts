import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GuidePassage } from '#contract/docs.ts'
import type { SiteContent } from '#contract/site-content.ts'
import { indexGuides, type SearchGuides } from './guide-search.ts'
import { writeLlmsTxt } from './llms-txt.ts'
import { movedGuides } from './moved-guides.ts'
import { type RenderedGuide, readGuides, summarise } from './read-guides.ts'

export interface Docs extends Pick<SiteContent, 'listGuides' | 'readGuide'> {
  /** The text of a guide; undefined: there is no such guide. */
  readMarkdown(path: string): Promise<string | undefined>
  /** The best passages first. */
  search(query: string): Promise<GuidePassage[]>
  /** The list of guides for programs that read. */
  writeLlmsTxt(): Promise<string>
  /** The list of settings that guides refer to. */
  readSettings(): Promise<string>
}

interface Library {
  readonly guides: readonly RenderedGuide[]
  readonly byPath: ReadonlyMap<string, RenderedGuide>
  readonly search: SearchGuides
}

interface Source {
  /** Of the repository. */
  readonly root: string
  readonly appUrl: string
  readonly editUrl: string | null
}

/** The guides, read and rendered when they are first asked for: a server that starts has other work. */
export function createDocs({ root, appUrl, editUrl }: Source): Docs {
  let known: Promise<Library> | undefined

  async function open(): Promise<Library> {
    const guides = await readGuides({ folder: join(root, 'docs/guides'), appUrl, editUrl })
    return { guides, byPath: new Map(guides.map((guide) => [guide.path, guide])), search: await indexGuides(guides) }
  }

  function getLibrary(): Promise<Library> {
    if (known) return known
    known = open()
    // A failure is not remembered.
    known.catch(() => {
      known = undefined
    })
    return known
  }

  return {
    listGuides: async () => (await getLibrary()).guides.map(summarise),

    // A path is looked up, never joined to the name of a file.
    readGuide: async (path) => {
      const { byPath } = await getLibrary()
      const guide = byPath.get(path)
      if (guide) return guide
      const lower = path.toLowerCase()
      const target = byPath.has(lower) ? lower : Object.hasOwn(movedGuides, lower) ? movedGuides[lower] : undefined
      return target === undefined ? undefined : { movedTo: target }
    },

    readMarkdown: async (path) => (await getLibrary()).byPath.get(path)?.markdown,

    search: async (query) => (await getLibrary()).search(query),

    writeLlmsTxt: async () => writeLlmsTxt((await getLibrary()).guides, appUrl),

    readSettings: () => readFile(join(root, '.env.example'), 'utf8'),
  }
}
