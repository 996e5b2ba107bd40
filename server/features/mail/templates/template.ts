import type { EmailTemplateGroup } from '#contract/email-templates.ts'

/*
 * What a template of emails is. Templates are data: their words, and what superadmins must know to write others.
 */

/** Words by field. Texts of several paragraphs have blank lines between them. */
export type Words = Readonly<Record<string, string>>

/** Words that a condition adds. They may use the template's variables, and are themselves a variable of its other fields. */
interface Phrase {
  /** When it is not empty, as in “Shown when …”. */
  readonly when: string
  readonly words: string
}

/** Words with variables of their own: a label, or one entry of a list. */
interface Line {
  /** Where or when it is shown. */
  readonly when: string
  readonly words: string
  readonly variables?: Readonly<Record<string, string>>
  /** Variables that it can't do without. */
  readonly needs?: readonly string[]
  /** True: not even those of all texts, because it is one of them. */
  readonly isPlain?: true
}

/** The words that most emails have. Lists are paragraphs. */
interface MainWords {
  readonly subject?: string
  readonly preview?: string
  readonly title?: string
  readonly paragraphs?: readonly string[]
  readonly quoteIntro?: string
  readonly codeIntro?: string
  readonly button?: string
  readonly notes?: readonly string[]
}

interface Declared<V extends string, P extends string, L extends string> {
  readonly group: EmailTemplateGroup
  readonly title: string
  /** When it is sent, and to whom. */
  readonly sentence: string
  /** Meaning by name. */
  readonly variables?: Readonly<Record<V, string>>
  /** Variables that its text or small print can't do without. */
  readonly needs?: readonly NoInfer<V>[]
  readonly words: MainWords
  readonly phrases?: Readonly<Record<P, Phrase>>
  readonly lines?: Readonly<Record<L, Line>>
}

/** One text of a template. */
export interface Field {
  readonly name: string
  readonly label: string
  /** When it is shown; null: always. */
  readonly when: string | null
  readonly form: 'line' | 'text'
  readonly isRequired: boolean
  readonly maxLength: number
  /** Meaning of each variable that it may use. */
  readonly variables: Readonly<Record<string, string>>
  readonly needs: readonly string[]
}

export interface Template<V extends string = string, P extends string = string, L extends string = string> {
  /** The kind of its emails; with a dot and a variant where the words of a kind differ. */
  readonly id: string
  readonly kind: string
  readonly group: EmailTemplateGroup
  readonly title: string
  readonly sentence: string
  readonly needs: readonly string[]
  readonly fields: readonly Field[]
  readonly defaultWords: Words
  /** Names, for {@link Values}. */
  readonly names: { readonly variables: readonly V[]; readonly phrases: readonly P[]; readonly lines: readonly L[] }
}

/** What every text may use. */
const commonVariables = {
  product: 'Name of the product, as the template “Every email” has it',
  host: 'Host of this instance',
} as const

const mainFields = [
  { name: 'subject', label: 'Subject', form: 'line', maxLength: 200, isRequired: true },
  { name: 'preview', label: 'Preview line', form: 'line', maxLength: 300, isRequired: false },
  { name: 'title', label: 'Title', form: 'line', maxLength: 200, isRequired: true },
  { name: 'paragraphs', label: 'Text', form: 'text', maxLength: 5000, isRequired: false },
  { name: 'quoteIntro', label: 'Line above the quote', form: 'line', maxLength: 200, isRequired: true },
  { name: 'codeIntro', label: 'Line above the code', form: 'line', maxLength: 200, isRequired: true },
  { name: 'button', label: 'Button', form: 'line', maxLength: 80, isRequired: true },
  { name: 'notes', label: 'Small print', form: 'text', maxLength: 3000, isRequired: false },
] as const

/** Declares a template. Its names become types, so that code which renders it can't forget or misspell one. */
export function template<
  const V extends string = never,
  const P extends string = never,
  const L extends string = never,
>(id: string, declared: Declared<V, P, L>): Template<V, P, L> {
  const { group, title, sentence, words, needs = [] } = declared
  const variables: Readonly<Record<string, string>> = { ...declared.variables, ...commonVariables }
  const phrases = Object.entries<Phrase>(declared.phrases ?? {})
  const lines = Object.entries<Line>(declared.lines ?? {})
  const whole = {
    ...variables,
    ...Object.fromEntries(phrases.map(([name, { when }]) => [name, `Empty unless ${when}`])),
  }
  const fields: Field[] = [
    ...mainFields
      .filter(({ name }) => words[name] !== undefined)
      .map((field) => ({ ...field, when: null, variables: whole, needs: [] })),
    ...phrases.map(([name, { when }]) => ({
      ...({ name, label: wordName(name), when: `Shown when ${when}`, form: 'line', maxLength: 1000 } as const),
      ...{ isRequired: false, variables, needs: [] },
    })),
    ...lines.map(([name, line]) => ({
      ...({ name, label: wordName(name), when: line.when, form: 'line', maxLength: 500, isRequired: true } as const),
      ...{ variables: line.isPlain ? {} : { ...line.variables, ...commonVariables }, needs: line.needs ?? [] },
    })),
  ]
  const joined = (text: string | readonly string[]) => (typeof text === 'string' ? text : text.join('\n\n'))
  const main = Object.entries(words).map(([name, text]) => [name, joined(text)])
  const others = [...phrases, ...lines].map(([name, line]) => [name, line.words])
  return {
    ...{ id, kind: id.split('.')[0] ?? id, group, title, sentence, needs, fields },
    defaultWords: Object.fromEntries([...main, ...others]),
    // Names of objects are typed as text: these are the declared ones.
    names: {
      variables: Object.keys(declared.variables ?? {}) as V[], // As above.
      phrases: phrases.map(([name]) => name as P), // As above.
      lines: lines.map(([name]) => name as L), // As above.
    },
  }
}

/** `cancelledSignUp` is “Cancelled sign up”. */
function wordName(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
