import { createRoot, type Root } from 'react-dom/client'
import DemoItemCard from '../../landing/demo-item-card.tsx'
import type { DemoItem } from '../../landing/demo-widget.ts'

let root: Root | undefined
let shownId: string | undefined

/** Shows an item in the place for it on the front page, again when another of its files is whole. */
export function showDemoItem(item: DemoItem): void {
  const place = document.getElementById('demo-result')
  if (!place) return
  if (!root) place.replaceChildren()
  root ??= createRoot(place)
  root.render(<DemoItemCard item={item} />)
  if (shownId === item.submission.id) return
  shownId = item.submission.id
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  // Once it is there.
  requestAnimationFrame(() => place.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' }))
}
