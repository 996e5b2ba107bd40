import { type Editor, findMiddle, locate } from './editor.ts'
import { end, save, shift, whole } from './marks.ts'

/** Buttons' names by key. `^` stands for Control or Command, `^^` for these with Shift. */
const acts: Readonly<Record<string, string>> = {
  Escape: 'cancel',
  '+': 'zoomIn',
  '=': 'zoomIn',
  '-': 'zoomOut',
  '^z': 'undo',
  '^^z': 'redo',
  '^y': 'redo',
  Delete: 'delete',
  Backspace: 'delete',
}

/** Adds a mark of the present tool in the middle of the visible area. */
function place(editor: Editor): void {
  const { unit, tool } = editor
  const [x, y] = locate(editor, ...findMiddle(editor.area))
  if (tool === 'text') {
    editor.write([x, y])
    return
  }
  const mark = editor.add(x - 20 * unit, y - 12 * unit, x + 20 * unit, y + 12 * unit)
  // The pen's default mark is a wave.
  if (tool === 'pen') mark.points = [0, 1, 2, 3, 4].map((step) => [step / 4, step % 2])
}

/** Handles a key. Returns whether it has a meaning here. */
function press(editor: Editor, { key, shiftKey, ctrlKey, metaKey, repeat }: KeyboardEvent): unknown {
  const { stage, area, marks, selected, unit } = editor
  const focused = stage.root.activeElement
  if (focused?.localName === 'input') {
    // Leaving the field ends the text.
    if (/^E(nter|scape)$/.test(key)) area.focus()
    return
  }
  const act = acts[ctrlKey || metaKey ? (shiftKey ? '^^' : '^') + key.toLowerCase() : key]
  if (act) {
    editor.act(act)
    return true
  }
  if (focused !== area) return
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key]
  let used: unknown = true
  if (step && selected) {
    if (!repeat) save(editor)
    shift(selected, shiftKey ? end : whole, (step[0] ?? 0) * unit, (step[1] ?? 0) * unit)
  } else if (key === 'Tab') {
    const last = selected ? marks.indexOf(selected) : shiftKey ? marks.length : -1
    // Beyond the first and the last mark, Tab moves the focus as usual.
    used = editor.selected = marks[last + (shiftKey ? -1 : 1)]
  } else if (key === ' ') editor.isPanning = true
  else if (key !== 'Enter') return
  else if (selected?.text) editor.write(selected)
  else place(editor)
  editor.render()
  return used
}

/** Takes over the stage's keys. Returns a function that gives them back. */
export function takeKeys(editor: Editor): () => void {
  const { stage } = editor
  const { onKey } = stage
  stage.onKey = (event) => {
    if (!event.isComposing && press(editor, event)) event.preventDefault()
  }
  return () => {
    stage.onKey = onKey
  }
}
