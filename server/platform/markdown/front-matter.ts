export interface FrontMatter {
  readonly fields: Readonly<Record<string, string>>
  /** The text behind it. */
  readonly body: string
}

const block = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/
const field = /^([a-z]+):\s*(.*?)\s*$/
const quoted = /^(["'])(.*)\1$/

/** Reads the lines `name: value` between two lines `---` at the beginning of a text; without them, there are no fields. */
export function readFrontMatter(source: string): FrontMatter {
  const text = source.replace(/^\uFEFF/, '')
  const [whole = '', lines = ''] = block.exec(text) ?? []
  const fields: Record<string, string> = {}
  for (const line of lines.split(/\r?\n/)) {
    const [, name, value = ''] = field.exec(line) ?? []
    if (name !== undefined) fields[name] = value.replace(quoted, '$2')
  }
  return { fields, body: text.slice(whole.length) }
}
