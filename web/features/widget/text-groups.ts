/** Texts of the widget that show in the same place. */
export interface TextGroup {
  readonly label: string
  /** By name, with the default text. */
  readonly texts: readonly (readonly [name: string, text: string])[]
}

/** Where texts show, in the order of the widget's list, by the name of each group's first text. */
const groupStarts: Readonly<Record<string, string>> = {
  label: 'Button',
  title: 'Form',
  thanks: 'After sending',
  items: 'Visitor’s own feedback',
  attach: 'Attachments',
  microphone: 'Recording',
  replay: 'Session replay',
  editor: 'Screenshot editor',
}

/** A search of the texts. */
interface TextSearch {
  /** Each word must be in a text, its replacement, its name or its group. */
  readonly words: string
  readonly isChangedOnly: boolean
}

/**
 * The texts that a search finds, by where they show. Groups without any are left out.
 *
 * @param defaults in the order of the widget's list
 * @param own the project's own, by name
 */
export function groupTexts(
  defaults: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
  { words, isChangedOnly }: TextSearch,
): TextGroup[] {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const groups: { label: string; texts: [string, string][] }[] = []
  for (const [name, text] of Object.entries(defaults)) {
    const label = groupStarts[name]
    if (label !== undefined) groups.push({ label, texts: [] })
    const group = groups.at(-1)
    const searched = `${name} ${text} ${own[name] ?? ''} ${group?.label ?? ''}`.toLocaleLowerCase()
    const isFound = wanted.every((word) => searched.includes(word)) && (!isChangedOnly || own[name] !== undefined)
    if (isFound) group?.texts.push([name, text])
  }
  return groups.filter(({ texts }) => texts.length > 0)
}
