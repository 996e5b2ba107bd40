import type { Words } from './template.ts'

/** Words of superadmins by template; a template that is not in it has its default words. */
export type WordBook = ReadonlyMap<string, Words>

/*
 * The words with which this process writes emails. Rendering is spread over many transactions and knows no database, so this
 * is the one thing that it takes from its surroundings. An email takes the book once: its words are of one moment.
 */
let present: WordBook = new Map()

export function presentWords(): WordBook {
  return present
}

/** From now on, emails of this process are written with these words. */
export function setPresentWords(book: WordBook): void {
  present = book
}

/** Runs `render` with other words of some templates: a preview. Nothing else runs meanwhile. */
export function renderWith<T>(words: WordBook, render: () => T): T {
  const before = present
  present = new Map([...before, ...words])
  try {
    return render()
  } finally {
    present = before
  }
}

type Watch = (templateId: string, values: Readonly<Record<string, string>>) => void
let watch: Watch | undefined

/** Runs `render`, and tells with which values it fills texts. Nothing else runs meanwhile. */
export function watchValues(tell: Watch, render: () => unknown): void {
  watch = tell
  try {
    render()
  } finally {
    watch = undefined
  }
}

/** For {@link watchValues}. */
export function tellValues(templateId: string, values: Readonly<Record<string, string>>): void {
  watch?.(templateId, values)
}
