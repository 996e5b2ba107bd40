import { loadRare } from './load-rare.ts'
import type { AddRule, Scene, Styles, TakeNote } from './scene.ts'

/**
 * Keeps the present moment of a document, which its markup alone does not tell: states such as `:hover`, and values that
 * animations have reached. Returns the texts that are highlighted or selected, if any.
 */
export async function freezeMoment(
  document: Document,
  styles: Styles,
  note: TakeNote,
  addRule: AddRule,
): Promise<Scene['lit']> {
  for (const state of styles.states) {
    try {
      for (const element of document.querySelectorAll(`:${state}`)) note(element).marks += `${state} `
    } catch {}
  }
  const { CSS } = document.defaultView as Window & typeof globalThis // Only documents in a window are drawn.
  const isLit = CSS.highlights?.size || document.getSelection()?.type === 'Range'
  const rare = (isLit || document.getAnimations()[0]) && (await loadRare())
  if (!rare) return undefined
  rare.freezeAnimations(document, styles, addRule)
  return rare.writeHighlights(document)
}
