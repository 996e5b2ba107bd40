import type { Way } from '../loader/modules.ts'
import { createEditor } from './create-editor.ts'
import type { EditorStrings, Surface } from './editor.ts'
import { html } from './elements.ts'
import { takeKeys } from './keyboard.ts'
import { followPointers } from './pointer.ts'
import { createToolbar } from './toolbar.ts'

/**
 * Opens the editor over everything, without its sheet. Resolves to a new canvas with the marks burnt in; undefined:
 * cancelled; another way to take the picture: that is asked for instead. The picture stays unchanged.
 *
 * @param box an element whose colours and theme the editor takes.
 */
export function openEditor(
  surface: Surface,
  picture: HTMLCanvasElement,
  strings: EditorStrings,
  ways: readonly Way[] = [],
  box?: HTMLElement | null,
): Promise<HTMLCanvasElement | Way | undefined> {
  const { locale, root } = surface
  const status = html('output', {})
  return new Promise((resolve) => {
    const editor = createEditor(surface, picture, strings, status, (result) => {
      dialog.onclose = null
      giveKeysBack()
      dialog.close()
      dialog.remove()
      resolve(result)
    })
    const { area } = editor
    const dialog = html(
      'dialog',
      {
        class: box?.classList.contains('night') ? 'draw night' : 'draw',
        lang: locale,
        dir: /ar|he/.test(locale) ? 'rtl' : 'ltr',
        'aria-label': strings.editor,
      },
      createToolbar(editor, strings, ways),
      area,
      status,
      // `html` knows no tag's own type.
    ) as HTMLDialogElement
    dialog.style.cssText = box?.style.cssText ?? ''
    dialog.oncancel = (event) => event.preventDefault()
    // Some browsers close a dialog on the second Escape in any case.
    dialog.onclose = () => dialog.showModal()
    const giveKeysBack = takeKeys(editor)
    followPointers(editor)
    area.onscroll = editor.render
    root.append(dialog)
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
