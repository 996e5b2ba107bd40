import { addCopyButtons } from './copy-buttons.ts'
import { followHeadings } from './headings-in-view.ts'
import { setUpTabs } from './tab-groups.ts'

/** What a guide does beside being read: copying code, tabs, and the place in its table of contents. @returns what ends it. */
export function enlivenGuide(root: HTMLElement): () => void {
  addCopyButtons(root)
  const ends = [setUpTabs(root), followHeadings(root)]
  return () => {
    for (const end of ends) end()
  }
}
