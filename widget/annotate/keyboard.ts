import { type Editor, findMiddle, locate } from './editor.ts'
import { end, save, shift, whole } from './marks.ts'

/** What keys do, by the names of the buttons. Control or Command is a caret, and so is Shift with them. */
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

/** Puts a mark of the present tool into the middle of what is seen. */
function place(editor: Editor): void {
  const { unit, tool } = editor
  const [x, y] = locate(editor, ...findMiddle(editor.area))
  if (tool === 'text') {
    editor.write([x, y])
    return
  }
  const mark = editor.add(x - 20 * unit, y - 12 * unit, x + 20 * unit, y + 12 * unit)
  // What a pen draws by itself is a wave.
  if (tool === 'pen') mark.points = [0, 1, 2, 3, 4].map((step) => [step / 4, step % 2])
}

/** Does what a key means. Returns whether it meant something. */
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
    // Beyond the first and the last it goes on as ever.
    used = editor.selected = marks[last + (shiftKey ? -1 : 1)]
  } else if (key === ' ') editor.isPanning = true
  else if (key !== 'Enter') return
  else if (selected?.text) editor.write(selected)
  else place(editor)
  editor.render()
  return used
}

/** Takes the keys of the stage. Returns how to give them back. */
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
