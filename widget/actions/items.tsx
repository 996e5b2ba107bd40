import { focus, type Panel } from '../panel/state.ts'
import { loadTransport } from './sending.ts'

/** Opens the list of the visitor's own items, and requests it from the server. */
export async function openItems(p: Panel): Promise<void> {
  p.set({ items: 'loading' })
  focus(p, 'header button')
  const items = await loadTransport(p)
    .then((transport) => transport.listOwnItems(p.stage))
    .catch(() => 'failed' as const)
  if (p.items === 'loading') p.set({ items })
}

export function closeItems(p: Panel): void {
  p.set({ items: 'hidden' })
  focus(p, 'textarea')
}

export function viewItems(p: Panel) {
  const { t, items, stage, parts } = p
  const showDate = (date: string) => new Date(date).toLocaleDateString(stage.locale, { dateStyle: 'medium' })
  if (typeof items === 'string') {
    return (
      <div class="result" role="status">
        {items === 'loading' ? <i class="spinner" /> : t.itemsFailed}
        {items === 'failed' && parts.button('plain', t.retry, () => openItems(p))}
      </div>
    )
  }
  if (!items[0]) return <p class="result">{t.itemsEmpty}</p>
  return (
    <ul class="stack items">
      {items.map(({ id, number, type, status, createdAt, excerpt, replies }) => (
        <li key={id} class="card">
          <div class="row note">
            <b>#{number}</b> {t[type]} · {showDate(createdAt)}
            <span class={`status ${status}`}>{t[status]}</span>
          </div>
          <p dir="auto">{excerpt}</p>
          {replies.map(({ id, authorName, text, createdAt }) => (
            <blockquote key={id} dir="auto">
              <small>
                {authorName} · {showDate(createdAt)}
              </small>
              {text}
            </blockquote>
          ))}
        </li>
      ))}
    </ul>
  )
}
