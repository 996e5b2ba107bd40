/** A heading counts as read once it is this far from the window's top, in pixels. */
const readingLine = 120

/** Marks, in the table of contents, the section that is being read. @returns what ends it. */
export function followHeadings(root: HTMLElement): () => void {
  const links = [...root.querySelectorAll<HTMLAnchorElement>('[data-contents] a')]
  const headings = links.map(({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1))))
  if (links.length === 0) return () => {}
  let isAsked = false
  const mark = () => {
    isAsked = false
    // One in a hidden tab has no place.
    const current = headings.findLastIndex(
      (heading) => heading?.checkVisibility() && heading.getBoundingClientRect().top <= readingLine,
    )
    for (const [index, link] of links.entries()) {
      if (index === current) link.setAttribute('aria-current', 'location')
      else link.removeAttribute('aria-current')
    }
  }
  const follow = () => {
    if (!isAsked) requestAnimationFrame(mark)
    isAsked = true
  }
  mark()
  window.addEventListener('scroll', follow, { passive: true })
  return () => window.removeEventListener('scroll', follow)
}
