import type { Stage } from '../loader/stage.ts'
import type { Strings } from '../locales/en.ts'
import css from './annotate.css'
import { draw, findBox, measureUnit } from './draw.ts'
import { type Editor, findMiddle } from './editor.ts'
import { createCanvas, html, svg } from './elements.ts'
import { takeKeys } from './keyboard.ts'
import { findCorners, type Mark, save, type Tool, travel } from './marks.ts'
import { followPointers } from './pointer.ts'
import { above, signs } from './signs.ts'
import { write } from './write.ts'

const accent = '#0090ff'

/**
 * Opens the editor over everything. Resolves to a new canvas with the marks burnt in, or undefined when it was
 * cancelled. The picture stays as it is.
 */
export function annotate(
  stage: Stage,
  picture: HTMLCanvasElement,
  strings: Strings,
): Promise<HTMLCanvasElement | undefined> {
  stage.addStyles(css)
  const { width, height } = picture
  const [canvas, context] = createCanvas(width, height)
  const paper = html('div', {}, canvas)
  const area = html('div', { class: 'area', role: 'application', 'aria-label': strings.editorHint, tabindex: 0 }, paper)
  const status = html('output', {})
  const buttons: Record<string, HTMLButtonElement> = {}
  const unit = measureUnit(width)
  let color = '#e5484d'
  let isSure = false

  return new Promise((resolve) => {
    const close = (result?: HTMLCanvasElement) => {
      dialog.onclose = null
      giveKeysBack()
      dialog.close()
      dialog.remove()
      resolve(result)
    }

    /** Draws the picture and its marks, only where they are seen, and in the end everywhere. */
    const paint = (isFinal: boolean) => {
      const { zoom, marks, selected } = editor
      const from = paper.getBoundingClientRect()
      const seen = area.getBoundingClientRect()
      context.save()
      if (!isFinal) {
        context.beginPath()
        context.rect((seen.x - from.x) / zoom, (seen.y - from.y) / zoom, seen.width / zoom, seen.height / zoom)
        context.clip()
      }
      context.drawImage(picture, 0, 0)
      for (const mark of marks) if (!isFinal || mark.tool !== 'crop') draw(context, mark, unit)
      if (selected && !isFinal) {
        const [x0, y0, x1, y1] = selected.at
        context.lineWidth = 2 / zoom
        context.strokeStyle = accent
        context.fillStyle = '#fff'
        if (selected.tool !== 'arrow') context.strokeRect(x0, y0, x1 - x0, y1 - y0)
        for (const [i = 0, j = 0] of findCorners(selected)) {
          context.beginPath()
          context.arc(selected.at[i], selected.at[j], 6 / zoom, 0, 7)
          context.fill()
          context.stroke()
        }
      }
      context.restore()
    }

    const editor: Editor = {
      stage,
      area,
      paper,
      context,
      unit,
      marks: [],
      past: [],
      future: [],
      tool: 'arrow',
      selected: undefined,
      zoom: 1,
      isPanning: false,
      act(name) {
        const { marks, selected } = editor
        const wasSure = isSure
        isSure = false
        area.focus()
        if (name === 'undo') travel(editor, 'past', 'future')
        else if (name === 'redo') travel(editor, 'future', 'past')
        else if (name === 'delete') {
          if (selected) save(editor)
          editor.marks = marks.filter((mark) => mark !== selected)
        } else if (name === 'cancel') {
          // Work is thrown away only when asked a second time.
          if (wasSure || !marks[0]) return close()
          isSure = true
          buttons.cancel?.focus()
        } else if (name === 'save') {
          const crop = marks.find(({ tool }) => tool === 'crop')
          const [x, y, across, down] = crop ? findBox(crop, width, height) : [0, 0, width, height]
          const [result, cut] = createCanvas(across, down)
          paint(true)
          cut.drawImage(canvas, -x, -y)
          return close(result)
        } else if (name[0] === '#') {
          color = name
          if (selected) {
            save(editor)
            selected.color = name
          }
        } else if (name[0] === 'z') editor.zoomBy(name === 'zoomIn' ? 1.5 : 1 / 1.5, ...findMiddle(area))
        else {
          editor.tool = name as Tool
          editor.selected = undefined
        }
        editor.render()
      },
      render() {
        const { marks, past, future, tool } = editor
        const index = marks.indexOf(editor.selected as Mark)
        const selected = marks[index]
        editor.selected = selected
        paint(false)
        const cancel = isSure ? strings.discard : strings.cancel
        status.textContent = isSure
          ? cancel
          : selected
            ? `${strings[selected.tool]} ${index + 1}/${marks.length} · ${selected.at[0]}, ${selected.at[1]}`
            : strings.editorHint
        if (buttons.cancel) buttons.cancel.textContent = cancel
        const states: Record<string, unknown> = { undo: past[0], redo: future[0], delete: selected }
        for (const [name, button] of Object.entries(buttons)) {
          button.disabled = name in states && !states[name]
          button.ariaPressed = `${name === tool || name === color}`
        }
      },
      zoomBy(factor, x, y) {
        const before = paper.getBoundingClientRect()
        editor.zoom = Math.min(Math.max(editor.zoom * factor, 0.02), 8)
        paper.style.width = `${width * editor.zoom}px`
        const after = paper.getBoundingClientRect()
        const grown = after.width / before.width
        area.scrollBy(after.x - x + (x - before.x) * grown, after.y - y + (y - before.y) * grown)
        editor.render()
      },
      add(...at) {
        const { tool } = editor
        save(editor)
        const mark = { tool, color, at }
        // There is at most one crop.
        editor.marks = [...editor.marks.filter((other) => tool !== 'crop' || other.tool !== tool), mark]
        editor.selected = mark
        return mark
      },
      write: (place) => write(editor, strings.text, place),
    }

    const colorNames = strings.colors.split(', ')
    const all = Object.entries(signs).map(([name, sign]) => {
      const color = name[0] === '#' && { fill: name, stroke: '#8888' }
      const label = (color ? colorNames.shift() : strings[name as Tool]) ?? name
      const button = html('button', { title: label }) as HTMLButtonElement
      button.append(sign ? svg('svg', { viewBox: '0 0 24 24' }, svg('path', { d: sign, ...color })) : label)
      button.onclick = () => editor.act(name)
      buttons[name] = button
      return button
    })
    const dialog = html(
      'dialog',
      {
        class: 'draw',
        lang: stage.locale,
        dir: /ar|he/.test(stage.locale) ? 'rtl' : 'ltr',
        'aria-label': strings.editor,
      },
      html('p', {}, ...all.slice(0, above)),
      area,
      status,
      html('p', {}, ...all.slice(above)),
    ) as HTMLDialogElement
    dialog.style.colorScheme = stage.theme === 'auto' ? 'light dark' : stage.theme
    dialog.oncancel = (event) => event.preventDefault()
    // Some browsers close it all the same the second time.
    dialog.onclose = () => dialog.showModal()
    const giveKeysBack = takeKeys(editor)
    followPointers(editor)
    area.onscroll = editor.render
    stage.root.append(dialog)
    dialog.showModal()
    area.focus()
    editor.render()
    // All of it, unless that would be too small to see anything: then its whole width.
    const across = area.clientWidth / width
    const down = area.clientHeight / height
    editor.zoomBy(Math.min(1 / devicePixelRatio, across, down < across / 3 ? across : down), 0, 0)
    area.scrollTo(0, 0)
  })
}
