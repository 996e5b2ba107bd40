import type { Way } from '../loader/modules.ts'
import type { Editor, EditorStrings } from './editor.ts'
import { html, svg } from './elements.ts'
import type { Tool } from './marks.ts'
import { firstRow, signs, tools } from './signs.ts'

const drawSign = (path: string, look = {}) => svg('svg', { viewBox: '0 0 24 24' }, svg('path', { d: path, ...look }))

function makeButton(look: string, label: string, onClick: () => void): HTMLButtonElement {
  // `html` knows no tag's own type.
  const button = html('button', { title: label, class: look }) as HTMLButtonElement
  button.onclick = onClick
  return button
}

/** The button that says how the picture was taken, and the other ways, which it unfolds. */
function createWays(editor: Editor, [present, ...others]: readonly Way[], strings: EditorStrings): HTMLElement[] {
  if (!present) return []
  const list = html('p', { hidden: '', class: 'others' })
  for (const way of others) {
    const label = strings[way] ?? way
    const button = makeButton('plain', label, () => editor.close(way))
    button.append(label)
    list.append(button)
  }
  const label = strings[present] ?? present
  const opener = makeButton('plain', label, () => {
    list.hidden = !list.hidden
    opener.ariaExpanded = `${!list.hidden}`
  })
  opener.ariaExpanded = 'false'
  opener.append(label, drawSign('M6 9l6 6 6-6'))
  editor.buttons.area = opener
  return [opener, list]
}

/** All controls of the editor. Tools show their names; the others are common signs, named by tooltips. */
export function createToolbar(editor: Editor, strings: EditorStrings, ways: readonly Way[]): HTMLElement {
  const colorNames = strings.colors.split(', ')
  const all = Object.entries(signs).map(([name, sign], index) => {
    const color = name[0] === '#' && { fill: name, stroke: '#8888' }
    // Names without a colour or text fall back to the name.
    const label = (color ? colorNames.shift() : strings[name as Tool]) ?? name
    const button = makeButton({ save: 'main', zoomIn: 'zoom', zoomOut: 'zoom' }[name] ?? '', label, () =>
      editor.act(name),
    )
    if (sign) button.append(drawSign(sign, color || {}))
    if (!sign || (index >= firstRow && !color)) button.append(html('span', {}, label))
    if (index >= firstRow) button.ariaPressed = 'false'
    editor.buttons[name] = button
    return button
  })
  const save = all.splice(firstRow - 1, 1)
  const [opener = '', list = ''] = createWays(editor, ways, strings)
  return html(
    'div',
    { class: 'bar' },
    html('p', {}, ...all.splice(0, firstRow - 1), opener, ...save),
    list,
    html('p', { class: 'named' }, ...all.splice(0, tools)),
    html('p', {}, ...all),
  )
}
