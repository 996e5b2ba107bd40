import type { OwnItem } from '#contract/widget.ts'
import { fill, focus, type Panel } from '../panel/state.ts'
import { listOwnItems } from '../transport/own-items.ts'

/** Opens the list of the visitor's own items, and requests it from the server. */
export async function openItems(p: Panel): Promise<void> {
  p.set({ items: 'loading' })
  focus(p, '.head button')
  const items = await listOwnItems(p.stage).catch(() => 'failed' as const)
  if (p.items === 'loading') p.set({ items })
}

export function closeItems(p: Panel): void {
  p.set({ items: 'hidden' })
  focus(p, 'textarea')
}

/** An item with its status, the files that were refused, and the team's replies. */
export function viewItem({ t, stage }: Panel, item: OwnItem) {
  const { id, number, type, status, createdAt, excerpt, refusedFiles, replies } = item
  const showDate = (date: string) => new Date(date).toLocaleDateString(stage.locale, { dateStyle: 'medium' })
  return (
    <li key={id} class="card">
      <div class="row note">
        <b>#{number}</b> {t[type]} · {showDate(createdAt)}
        <span class={`status ${status}`}>{t[status]}</span>
      </div>
      <p dir="auto">{excerpt}</p>
      {refusedFiles[0] && <p class="note bad">{fill(t.notKept, { name: refusedFiles.join(', ') })}</p>}
      {replies.map(({ id, authorName, text, createdAt }) => (
        <blockquote key={id} dir="auto">
          <small>
            {authorName} · {showDate(createdAt)}
          </small>
          {text}
        </blockquote>
      ))}
    </li>
  )
}

export function viewItems(p: Panel) {
  const { t, items, parts } = p
  if (typeof items === 'string') {
    return (
      <div class="result" role="status">
        {items === 'loading' ? <i class="spinner" /> : t.itemsFailed}
        {items === 'failed' && parts.button('plain', t.retry, () => openItems(p))}
      </div>
    )
  }
  if (!items[0]) return <p class="result">{t.itemsEmpty}</p>
  return <ul class="stack items">{items.map((item) => viewItem(p, item))}</ul>
}
