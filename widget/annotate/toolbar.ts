import type { Strings } from '../locales/en.ts'
import type { Tool } from './marks.ts'

/** What a press in the toolbar asks for. */
export type Act = Tool | 'undo' | 'redo' | 'delete' | 'zoomOut' | 'zoomIn' | 'cancel' | 'save'

/** Acts in their order, with the lines of their signs; those without one show their words. */
const acts: Record<Act, string> = {
  pen: 'm4 20 1-5L16 4l4 4L9 19z',
  arrow: 'M5 19 19 5H9m10 0v10',
  box: 'M4 6h16v12H4z',
  text: 'M5 7V5h14v2M12 5v14',
  highlight: 'm9 14 7-9 4 4-7 8zl-3 4h5',
  blur: 'M12 4q12 15 0 15T12 4',
  blackout: 'M4 7h16v10H4zm0 5h16M4 9h16M4 15h16',
  crop: 'M7 3v14h14M3 7h14v14',
  undo: 'M9 5 4 10l5 5m-5-5h11q5 0 5 8',
  redo: 'm15 5 5 5-5 5m5-5H9q-5 0-5 8',
  delete: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13',
  zoomOut: 'M6 12h12',
  zoomIn: 'M6 12h12M12 6v12',
  cancel: '',
  save: '',
}

const namespace = 'http://www.w3.org/2000/svg'

export interface Toolbar {
  readonly element: HTMLElement
  readonly color: HTMLInputElement
  readonly buttons: Readonly<Record<Act, HTMLButtonElement>>
}

/** Tools, what else can be done, and a colour. */
export function createToolbar(strings: Strings, run: (act: Act) => void): Toolbar {
  const element = document.createElement('div')
  element.role = 'toolbar'
  element.ariaLabel = strings.editor
  const buttons = {} as Record<Act, HTMLButtonElement>
  for (const [name, path] of Object.entries(acts)) {
    const act = name as Act
    const button = document.createElement('button')
    button.type = 'button'
    button.title = button.ariaLabel = strings[act]
    if (path) {
      const icon = document.createElementNS(namespace, 'svg')
      const line = document.createElementNS(namespace, 'path')
      line.setAttribute('d', path)
      icon.setAttribute('viewBox', '0 0 24 24')
      icon.append(line)
      button.append(icon)
    } else button.append(strings[act])
    button.onclick = () => run(act)
    element.append(button)
    buttons[act] = button
  }
  const color = document.createElement('input')
  color.type = 'color'
  color.ariaLabel = strings.color
  color.value = '#e5484d'
  buttons.undo.before(color)
  buttons.save.className = 'ok'
  return { element, color, buttons }
}
