import { enlivenGuide } from '../../../features/docs/in-page/enliven-guide.ts'
import { setUpSearch } from '../../../features/docs/in-page/search-box.ts'
import { withBasePath } from '../../../lib/base-path.ts'
import { hasStoredSession } from '../../../lib/stored-session.ts'

/** What the page of a guide does in the browser. */
export function setUpDocs(): void {
  const page = document.querySelector<HTMLElement>('[data-guide]')
  if (!page) return
  enlivenGuide(page)
  showCurrentGuide(page)
  const box = page.querySelector<HTMLElement>('[data-docs-search]')
  if (box) {
    setUpSearch(box, {
      toAddress: (path) => withBasePath(`/docs/guides/${path}`),
      open: (address) => window.location.assign(address),
    })
  }
  if (hasStoredSession() && page.querySelector('[data-key]')) {
    // Without them, the code says YOUR_KEY.
    import('./own-projects.ts').then(({ showOwnKeys }) => showOwnKeys(page)).catch(() => {})
  }
}

/** The list of guides is longer than the window. */
function showCurrentGuide(page: HTMLElement): void {
  for (const link of page.querySelectorAll<HTMLElement>('nav [aria-current="page"]')) {
    const list = link.closest('nav')
    if (!list || list.scrollHeight <= list.clientHeight) continue
    const below = link.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom
    // In its middle; not scrollIntoView, which would scroll the page as well.
    if (below > 0) list.scrollTop = below + list.clientHeight / 2
  }
}
