import type { Stage } from '../loader/stage.ts'
import type { Strings } from '../locales/en.ts'
import css from './annotate.css'
import { burnMarks, drawMarks, textSize } from './draw.ts'
import { boundsOf, createHistory, type Mark, type Point, replaceMark, type Tool, tools } from './marks.ts'
import { followPointers } from './pointer.ts'
import { type Act, createToolbar } from './toolbar.ts'
import { createView } from './view.ts'

const styled = new WeakSet<ShadowRoot>()

/**
 * Opens the editor over everything. Resolves to a new canvas with the marks burnt in, or undefined when it was
 * cancelled. Marks are things that can be moved and sized until then.
 */
export function annotate(
  stage: Stage,
  picture: HTMLCanvasElement,
  strings: Strings,
): Promise<HTMLCanvasElement | undefined> {
  const { root } = stage
  if (!styled.has(root)) stage.addStyles(css)
  styled.add(root)

  return new Promise((resolve) => {
    const dialog = document.createElement('dialog')
    const area = document.createElement('div')
    const canvas = document.createElement('canvas')
    const status = document.createElement('output')
    const context = canvas.getContext('2d') as CanvasRenderingContext2D
    const view = createView(canvas, picture)
    const history = createHistory()
    /** Marks as they are seen: the history's, with the one being changed. */
    let marks: readonly Mark[] = []
    let selected = -1
    let tool: Tool = 'arrow'
    let writing: HTMLInputElement | undefined
    const leaveText = () => {
      writing?.blur()
      return true
    }

    const redraw = () => {
      context.setTransform(1, 0, 0, 1, 0, 0)
      context.clearRect(0, 0, canvas.width, canvas.height)
      context.setTransform(view.scale, 0, 0, view.scale, ...view.offset)
      drawMarks(context, picture, marks)
      const crop = marks.find((mark) => mark.tool === 'crop')
      context.beginPath()
      if (crop) {
        context.rect(0, 0, picture.width, picture.height)
        context.rect(...crop.from, ...crop.by)
        context.fillStyle = '#000a'
        context.fill('evenodd')
      }
      const mark = marks[selected]
      if (!mark) return
      // White on black is seen on any picture; so is a square at each end.
      context.lineWidth = handleSize() / 8
      for (const [color, dash] of [
        ['#000', 0],
        ['#fff', handleSize() / 2],
      ] as const) {
        context.strokeStyle = color
        context.setLineDash(dash ? [dash] : [])
        context.strokeRect(...mark.from, ...mark.by)
      }
      context.setLineDash([])
      context.fillStyle = '#fff'
      for (const [x, y] of endsOf(mark)) {
        const size = handleSize()
        context.fillRect(x - size / 2, y - size / 2, size, size)
      }
    }

    const handleSize = () => (10 * devicePixelRatio) / view.scale
    /** Shows marks, and remembers them as a step. */
    const commit = (next: readonly Mark[], choice = selected) => {
      history.push(next)
      return show(next, choice)
    }
    const show = (next: readonly Mark[], choice: number) => {
      marks = next
      selected = Math.min(choice, next.length - 1)
      const mark = marks[selected]
      // Tells it to those who do not see it.
      status.value = mark ? `${strings[mark.tool]} ${selected + 1}/${marks.length}, ${mark.from.map(Math.round)}` : ''
      redraw()
      return true
    }

    const write = (index: number, mark: Mark) => {
      const input = document.createElement('input')
      const place = ([x, y]: Point) => [x * view.scale + view.offset[0], y * view.scale + view.offset[1]] as const
      const [x, y] = place(mark.from)
      writing = input
      input.className = 'write'
      input.dir = 'auto'
      input.ariaLabel = strings.text
      input.value = mark.text ?? ''
      input.style.cssText = `left:${x / devicePixelRatio}px;top:${y / devicePixelRatio}px;color:${mark.color};font:600 ${(textSize() * view.scale) / devicePixelRatio}px system-ui`
      area.append(input)
      input.focus()
      input.onblur = () => {
        writing = undefined
        input.remove()
        const text = input.value.trim()
        context.font = `600 ${textSize()}px system-ui,sans-serif`
        const by: Point = [context.measureText(text).width, textSize()]
        if (text !== (mark.text ?? ''))
          commit(replaceMark(marks, index, text ? { ...mark, text, by } : undefined), index)
        canvas.focus()
      }
      return true
    }

    /** How a mark follows the pointer: undefined between two drags. */
    let drag: { index: number; change(at: Point): Mark; isNew: boolean; slack: number; start: Point } | undefined
    followPointers(canvas, view, {
      redraw,
      begin(start, slack) {
        const mark = marks[selected]
        const end = mark ? endsOf(mark).findIndex((point) => isNear(point, start, slack)) : -1
        const isWithin = mark && isInside(mark, start, slack)
        drag = { index: marks.length, isNew: true, slack, start, change: (at) => draft(tool, start, at) }
        if (mark && (end >= 0 || isWithin)) {
          drag = { ...drag, index: selected, isNew: false, change: (at) => dragMark(mark, end, start, at) }
        }
      },
      move(at) {
        if (drag) show(replaceMark(history.marks, drag.index, drag.change(at)), drag.index)
      },
      end() {
        if (!drag) return
        const { index, isNew, start, slack } = drag
        const last = marks[marks.length > index ? index : marks.length - 1]
        drag = undefined
        const isClick = !last || marks === history.marks || (isNew && Math.hypot(...last.by) < slack)
        if (!isClick && (tool !== 'text' || !isNew)) {
          commit(marks)
          return
        }
        // A press without a drag chooses what is there, or writes.
        const found = history.marks.map((mark) => isInside(mark, start, slack)).lastIndexOf(true)
        show(history.marks, found)
        const chosen = marks[found]
        if (chosen?.text) write(found, chosen)
        else if (tool === 'text') write(marks.length, draft(tool, start, start))
      },
      abort() {
        drag = undefined
        show(history.marks, selected)
      },
    })

    const lineOf: Point[] = []
    const draft = (kind: Tool, from: Point, to: Point): Mark => {
      const by: Point = [to[0] - from[0], to[1] - from[1]]
      if (kind !== 'pen') return { tool: kind, color: color.value, from, by }
      if (marks === history.marks) lineOf.length = 0
      lineOf.push(to)
      const xs = lineOf.map(([x]) => x)
      const ys = lineOf.map(([, y]) => y)
      const corner: Point = [Math.min(...xs), Math.min(...ys)]
      const size: Point = [Math.max(1, Math.max(...xs) - corner[0]), Math.max(1, Math.max(...ys) - corner[1])]
      const line = lineOf.map(([x, y]): Point => [(x - corner[0]) / size[0], (y - corner[1]) / size[1]])
      return { tool: kind, color: color.value, from: corner, by: size, line }
    }

    /** Puts a mark into the middle of what is seen: for those who draw by keyboard. */
    const place = () => {
      const [from, to] = [0.375, 0.625].map((part) =>
        view.toPicture([canvas.clientWidth * part, canvas.clientHeight * part]),
      ) as [Point, Point]
      if (tool === 'text') return write(marks.length, draft(tool, from, from))
      const mark = { tool, color: color.value, from, by: [to[0] - from[0], to[1] - from[1]] as Point }
      const wave: Point[] = [0, 1, 2, 3, 4].map((step) => [step / 4, step % 2])
      return commit(replaceMark(marks, marks.length, tool === 'pen' ? { ...mark, line: wave } : mark), marks.length)
    }

    const close = (result?: HTMLCanvasElement) => {
      stage.onKey = previousKeys
      observer.disconnect()
      dialog.remove()
      resolve(result)
      return true
    }

    const run = (act: Act) => {
      const middle: Point = [canvas.clientWidth / 2, canvas.clientHeight / 2]
      if (tools.includes(act as Tool)) {
        tool = act as Tool
        for (const each of tools) buttons[each].ariaPressed = `${each === tool}`
      } else if (act === 'undo' || act === 'redo') {
        history.go(act === 'undo' ? -1 : 1)
        show(history.marks, -1)
      } else if (act === 'delete') {
        if (marks[selected]) commit(replaceMark(marks, selected))
      } else if (act === 'save') return close(burnMarks(picture, marks))
      else if (act === 'cancel') {
        // Work is thrown away only when asked a second time.
        if (!marks.length || buttons.cancel.textContent === strings.discard) return close()
        buttons.cancel.textContent = buttons.cancel.ariaLabel = strings.discard
        buttons.cancel.focus()
      } else view.zoom(act === 'zoomIn' ? 1.5 : 1 / 1.5, middle)
      redraw()
      return true
    }
    const { element: toolbar, color, buttons } = createToolbar(strings, run)
    color.onchange = () => {
      const mark = marks[selected]
      if (mark) commit(replaceMark(marks, selected, { ...mark, color: color.value }))
    }

    const keys: Record<string, Act> = {
      Delete: 'delete',
      Backspace: 'delete',
      '+': 'zoomIn',
      '=': 'zoomIn',
      '-': 'zoomOut',
    }
    const steps: Record<string, Point> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    }
    const previousKeys = stage.onKey
    stage.onKey = (event) => {
      if (press(event)) event.preventDefault()
    }
    /** Whether the key meant something here. */
    const press = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): unknown => {
      if (writing) return /Enter|Escape/.test(key) && leaveText()
      if (key === 'Escape') return run('cancel')
      if (ctrlKey || metaKey) return /^[zy]$/i.test(key) && run(shiftKey || key === 'y' ? 'redo' : 'undo')
      if (root.activeElement !== canvas) return
      const mark = marks[selected]
      const step = steps[key]
      if (step && mark) {
        const move = ([x, y]: Point): Point => [x + step[0] * handleSize(), y + step[1] * handleSize()]
        const changed = shiftKey ? { ...mark, by: move(mark.by) } : { ...mark, from: move(mark.from) }
        return commit(replaceMark(marks, selected, changed))
      }
      if (key === 'Tab') {
        const next = selected + (shiftKey ? -1 : 1)
        // Beyond the last and before the first, Tab goes on as ever.
        return marks[next] && show(marks, next)
      }
      if (key === 'Enter') return mark?.text ? write(selected, mark) : place()
      const act = keys[key]
      return act && run(act)
    }

    const observer = new ResizeObserver(() => {
      canvas.width = area.clientWidth * devicePixelRatio
      canvas.height = area.clientHeight * devicePixelRatio
      view.fit()
      redraw()
    })
    canvas.tabIndex = 0
    canvas.role = 'application'
    canvas.ariaLabel = strings.editorHint
    dialog.className = 'ed'
    dialog.ariaLabel = strings.editor
    dialog.dir = /ar|he/.test(stage.locale) ? 'rtl' : 'ltr'
    // The browser's own closing would throw the work away.
    dialog.oncancel = (event) => event.preventDefault()
    area.append(canvas, status)
    dialog.append(toolbar, area)
    root.append(dialog)
    dialog.showModal()
    observer.observe(area)
    run(tool)
    canvas.focus()
  })
}

/** Both ends of a mark, by which it is sized. */
function endsOf({ from: [x, y], by: [width, height] }: Mark): [Point, Point] {
  return [
    [x, y],
    [x + width, y + height],
  ]
}

function isNear([ax, ay]: Point, [bx, by]: Point, slack: number): boolean {
  return Math.hypot(ax - bx, ay - by) < slack
}

function isInside(mark: Mark, [x, y]: Point, slack: number): boolean {
  const [left, top, right, bottom] = boundsOf(mark)
  return x > left - slack && x < right + slack && y > top - slack && y < bottom + slack
}

/** A mark dragged from one point to another: by its first end (0), its last (1), or as a whole (-1). */
function dragMark(mark: Mark, end: number, [startX, startY]: Point, [x, y]: Point): Mark {
  const [moveX, moveY] = [x - startX, y - startY]
  const [fromX, fromY] = mark.from
  const [width, height] = mark.by
  const from: Point = end === 1 ? mark.from : [fromX + moveX, fromY + moveY]
  if (end < 0) return { ...mark, from }
  return { ...mark, from, by: end ? [width + moveX, height + moveY] : [width - moveX, height - moveY] }
}
