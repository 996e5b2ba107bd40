import type { AnnotateModule } from '../loader/modules.ts'
import css from './annotate.css'
import { createEditor } from './create-editor.ts'
import { html, svg } from './elements.ts'
import { takeKeys } from './keyboard.ts'
import type { Tool } from './marks.ts'
import { followPointers } from './pointer.ts'
import { above, signs } from './signs.ts'

/**
 * Opens the editor over everything. Resolves to a new canvas with the marks burnt in; undefined: cancelled. The picture
 * stays unchanged.
 */
export const annotate: AnnotateModule['annotate'] = (stage, picture, strings) => {
  const { locale, theme } = stage
  stage.addStyles(css)
  const status = html('output', {})
  return new Promise((resolve) => {
    const editor = createEditor(stage, picture, strings, status, (result) => {
      dialog.onclose = null
      giveKeysBack()
      dialog.close()
      dialog.remove()
      resolve(result)
    })
    const { area, buttons } = editor
    const colorNames = strings.colors.split(', ')
    const all = Object.entries(signs).map(([name, sign]) => {
      const color = name[0] === '#' && { fill: name, stroke: '#8888' }
      // Names without a colour or text fall back to the name.
      const label = (color ? colorNames.shift() : strings[name as Tool]) ?? name
      // `html` knows no tag's own type.
      const button = html('button', { title: label }) as HTMLButtonElement
      button.append(sign ? svg('svg', { viewBox: '0 0 24 24' }, svg('path', { d: sign, ...color })) : label)
      button.onclick = () => editor.act(name)
      buttons[name] = button
      return button
    })
    const dialog = html(
      'dialog',
      { class: 'draw', lang: locale, dir: /ar|he/.test(locale) ? 'rtl' : 'ltr', 'aria-label': strings.editor },
      html('p', {}, ...all.slice(0, above)),
      area,
      status,
      html('p', {}, ...all.slice(above)),
      // `html` knows no tag's own type.
    ) as HTMLDialogElement
    dialog.style.colorScheme = theme === 'auto' ? 'light dark' : theme
    dialog.oncancel = (event) => event.preventDefault()
    // Some browsers close a dialog on the second Escape in any case.
    dialog.onclose = () => dialog.showModal()
    const giveKeysBack = takeKeys(editor)
    followPointers(editor)
    area.onscroll = editor.render
    stage.root.append(dialog)
    dialog.showModal()
    area.focus()
    editor.render()
    // The whole picture, or its whole width where the picture would be too small to recognise.
    const across = area.clientWidth / picture.width
    const down = area.clientHeight / picture.height
    editor.zoomBy(Math.min(1 / devicePixelRatio, across, down < across / 3 ? across : down), 0, 0)
    area.scrollTo(0, 0)
  })
}
