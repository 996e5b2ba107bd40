import { act } from './act.ts'
import { measureUnit } from './draw.ts'
import type { Editor, EditorStrings, Surface } from './editor.ts'
import { createCanvas, html } from './elements.ts'
import { type Mark, save } from './marks.ts'
import { paint } from './paint.ts'
import { write } from './write.ts'

/** An editor of a picture, without its dialog. */
export function createEditor(
  stage: Surface,
  picture: HTMLCanvasElement,
  strings: EditorStrings,
  status: HTMLElement,
  close: Editor['close'],
): Editor {
  const { width, height } = picture
  const [canvas, context] = createCanvas(width, height)
  const paper = html('div', {}, canvas)
  const buttons: Editor['buttons'] = {}
  const editor: Editor = {
    stage,
    picture,
    buttons,
    area: html('div', { class: 'area', role: 'application', 'aria-label': strings.editorHint, tabindex: 0 }, paper),
    paper,
    context,
    unit: measureUnit(width, devicePixelRatio),
    marks: [],
    past: [],
    future: [],
    tool: 'arrow',
    color: '#e5484d',
    isSure: false,
    selected: undefined,
    zoom: 1,
    isPanning: false,
    close,
    act: (name) => act(editor, name),
    render() {
      const { marks, past, future, tool, color, isSure } = editor
      // Without a selection, `indexOf` gives -1.
      const index = marks.indexOf(editor.selected as Mark)
      const selected = marks[index]
      editor.selected = selected
      paint(editor, false)
      const cancel = isSure ? strings.discard : strings.cancel
      status.textContent = isSure
        ? cancel
        : selected
          ? `${strings[selected.tool]} ${index + 1}/${marks.length}`
          : strings.editorHint
      if (buttons.cancel) buttons.cancel.textContent = cancel
      // Another picture would lose the marks.
      const states: Record<string, unknown> = { undo: past[0], redo: future[0], delete: selected, area: !marks[0] }
      for (const [name, button] of Object.entries(buttons)) {
        button.disabled = name in states && !states[name]
        // Tools and colours only.
        if (button.ariaPressed) button.ariaPressed = `${name === tool || name === color}`
      }
    },
    zoomBy(factor, x, y) {
      const before = paper.getBoundingClientRect()
      editor.zoom = Math.min(Math.max(editor.zoom * factor, 0.02), 8)
      paper.style.width = `${width * editor.zoom}px`
      const after = paper.getBoundingClientRect()
      const grown = after.width / before.width
      editor.area.scrollBy(after.x - x + (x - before.x) * grown, after.y - y + (y - before.y) * grown)
      editor.render()
    },
    add(...at) {
      const { tool, color, marks } = editor
      save(editor)
      const mark = { tool, color, at }
      // There is at most one crop.
      editor.marks = [...marks.filter((other) => tool !== 'crop' || other.tool !== tool), mark]
      editor.selected = mark
      return mark
    },
    write: (place) => write(editor, strings.text, place),
  }
  return editor
}
