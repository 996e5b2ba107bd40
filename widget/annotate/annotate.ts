import type { AnnotateModule } from '../loader/modules.ts'
import css from './annotate.css'
import { openEditor } from './open-editor.ts'

/**
 * Opens the editor over everything. Resolves to a new canvas with the marks burnt in; undefined: cancelled; another way
 * to take the picture: the visitor asks for that instead. The picture stays unchanged.
 */
export const annotate: AnnotateModule['annotate'] = (stage, picture, strings, ways) => {
  stage.addStyles(css)
  // The panel's element has the project's colours, and the theme.
  return openEditor(stage, picture, strings, ways, stage.root.querySelector<HTMLElement>('.box'))
}
