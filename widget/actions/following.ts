import type { OwnItem, Submission } from '#contract/widget.ts'
import type { Panel } from '../panel/state.ts'
import { listOwnItems } from '../transport/own-items.ts'

/** When a sent item is asked for: soon at first, since a file's content is judged within seconds, then every so often. */
const firstWaitsMs = [2000, 4000, 8000]
const everyMs = 15_000
const excerptLength = 280

/** Shows the item just sent as a card, and follows its status, refused files and replies while the panel shows it. */
export function followItem(p: Panel, { id, type, message }: Submission, number: number): void {
  if (!p.settings.ownItems) return
  const own: OwnItem = {
    id,
    number,
    type: type ?? 'other',
    status: 'new',
    excerpt: message.slice(0, excerptLength),
    createdAt: new Date().toISOString(),
    refusedFiles: [],
    replies: [],
  }
  p.set({ own })
  follow(p, id)
}

async function follow(p: Panel, id: string): Promise<void> {
  const isShown = () => p.own?.id === id && p.stage.panel
  for (let asked = 0; isShown(); asked += 1) {
    await new Promise((resolve) => setTimeout(resolve, firstWaitsMs[asked] ?? everyMs))
    if (document.hidden || !isShown()) continue
    // An answer that does not come is asked for again.
    const items = await listOwnItems(p.stage).catch(() => [])
    const now = items.find((item) => item.id === id)
    if (now && isShown()) p.set({ own: now })
  }
}
