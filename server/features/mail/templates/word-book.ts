import type { Database } from '#server/platform/database/database.ts'
import type { StopListening } from '#server/platform/database/listen.ts'
import type { Log } from '#server/platform/log/log.ts'
import { checkWords } from './check-words.ts'
import { setPresentWords, type WordBook } from './present-words.ts'
import { listStoredWords, type StoredWords } from './stored-words.queries.ts'
import type { Template, Words } from './template.ts'
import { findTemplate } from './templates.ts'

const retryMs = 1_000

/** The words without texts that a newer version of Earshot no longer has. */
export function keepKnown({ fields }: Template, words: Words): Words {
  return Object.fromEntries(Object.entries(words).filter(([name]) => fields.some((field) => field.name === name)))
}

/** Those of the stored words that can be used. Others don't stop an email: it has its default words. */
function toWordBook(stored: readonly StoredWords[]): WordBook {
  return new Map(
    stored.flatMap(({ id, words }) => {
      const template = findTemplate(id)
      if (!template || words === null) return []
      const known = keepKnown(template, words)
      return checkWords(template, known).length === 0 ? [[id, known]] : []
    }),
  )
}

/** Titles of templates whose stored words are not used: they have variables that a newer version of Earshot has not. */
export async function listUnusable(database: Database): Promise<string[]> {
  const stored = await database.asSystem('the doctor checks the whole instance', listStoredWords)
  const book = toWordBook(stored)
  return stored.flatMap(({ id, words }) => {
    const template = findTemplate(id)
    return template && words !== null && !book.has(id) ? [template.title] : []
  })
}

/** Keeps the words of emails of this process as the database has them: a save reaches every process by NOTIFY. */
export function createWordKeeper({ database, log }: { database: Database; log: Pick<Log, 'warn'> }) {
  let stop: StopListening | undefined
  let retry: NodeJS.Timeout | undefined
  let isReading = false
  let isStale = false
  let isClosed = false

  async function read(): Promise<void> {
    const stored = await database.asSystem('every process writes emails', listStoredWords)
    setPresentWords(toWordBook(stored))
  }

  /** Reads again; once more if they change meanwhile. Until a read succeeds, the words before are used. */
  async function refresh(): Promise<void> {
    isStale = true
    if (isReading) return
    isReading = true
    clearTimeout(retry)
    try {
      while (isStale && !isClosed) {
        isStale = false
        await read()
      }
    } catch (error) {
      log.warn({ err: error }, 'cannot read the words of emails yet')
      if (!isClosed) retry = setTimeout(refresh, retryMs)
    } finally {
      isReading = false
    }
  }

  return {
    /** Reads them, and hears of changes from then on. */
    start: async (): Promise<void> => {
      stop = await database.listen('email_template_changed', refresh, refresh)
      await read()
    },
    close: async (): Promise<void> => {
      isClosed = true
      clearTimeout(retry)
      await stop?.()
      setPresentWords(new Map())
    },
  }
}
