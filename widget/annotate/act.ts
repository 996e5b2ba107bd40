import { findBox } from './draw.ts'
import { type Editor, findMiddle } from './editor.ts'
import { createCanvas } from './elements.ts'
import { save, type Tool, travel } from './marks.ts'
import { paint } from './paint.ts'

/** A new canvas with the marks burnt in, cropped. */
function burn(editor: Editor): HTMLCanvasElement {
  const { picture, marks, context } = editor
  const { width, height } = picture
  const crop = marks.find(({ tool }) => tool === 'crop')
  const [x, y, across, down] = crop ? findBox(crop, width, height) : [0, 0, width, height]
  const [result, cut] = createCanvas(across, down)
  paint(editor, true)
  cut.drawImage(context.canvas, -x, -y)
  return result
}

/** Runs a button's action, by the name of its text or by colour. */
export function act(editor: Editor, name: string): unknown {
  const { marks, selected, isSure } = editor
  editor.isSure = false
  editor.area.focus()
  if (name === 'undo') travel(editor, 'past', 'future')
  else if (name === 'redo') travel(editor, 'future', 'past')
  else if (name === 'delete') {
    if (selected) save(editor)
    editor.marks = marks.filter((mark) => mark !== selected)
  } else if (name === 'cancel') {
    // Marks are discarded only when confirmed by a second press.
    if (isSure || !marks[0]) return editor.close()
    editor.isSure = true
    editor.buttons.cancel?.focus()
  } else if (name === 'save') return editor.close(burn(editor))
  else if (name[0] === '#') {
    editor.color = name
    if (selected) {
      save(editor)
      selected.color = name
    }
  } else if (name[0] === 'z') editor.zoomBy(name === 'zoomIn' ? 1.5 : 1 / 1.5, ...findMiddle(editor.area))
  else {
    // The other names of the toolbar's buttons are handled above.
    editor.tool = name as Tool
    editor.selected = undefined
  }
  return editor.render()
}
