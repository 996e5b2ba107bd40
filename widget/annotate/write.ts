import type { Editor } from './editor.ts'
import { html } from './elements.ts'
import { type Mark, type Point, save } from './marks.ts'

/** Opens a field at a new text's beginning, or on an existing text. Leaving the field ends it. */
export function write(editor: Editor, label: string, place: Mark | Point): void {
  const { paper, unit, zoom } = editor
  if ('tool' in place) save(editor)
  const mark = 'tool' in place ? place : editor.add(...place, place[0], place[1] + 7 * unit)
  const { at, color, text = '' } = mark
  // `html` knows no tag's own type.
  const field = html('input', { 'aria-label': label, dir: 'auto' }) as HTMLInputElement
  field.value = text
  // Shown in the field meanwhile.
  mark.text = ''
  field.style.cssText = `left:${at[0] * zoom}px;top:${Math.min(at[1], at[3]) * zoom}px;color:${color};font-size:${(Math.abs(at[3] - at[1]) / 1.2) * zoom}px`
  field.onblur = () => {
    const { value } = field
    field.remove()
    mark.text = value
    if (value === text) editor.past.pop()
    if (!value.trim()) editor.marks = editor.marks.filter((other) => other !== mark)
    editor.render()
  }
  paper.append(field)
  field.focus()
  editor.render()
}
