import type { OwnItem } from '#contract/widget.ts'
import type { Stage } from '../loader/stage.ts'
import { ask } from './ask.ts'

const timeoutMs = 20_000

/**
 * The visitor's own items, newest first: those of the person the site vouches for, else those of this browser.
 * Nothing is asked for a visitor whom nobody could know.
 * @throws when the server did not give them
 */
export async function listOwnItems({ origin, settings, visitor }: Stage): Promise<readonly OwnItem[]> {
  const headers: Record<string, string> = {}
  if (visitor.id && visitor.hash) {
    headers['x-visitor-id'] = encodeURIComponent(visitor.id)
    headers['x-visitor-hash'] = visitor.hash
  } else {
    try {
      headers['x-visitor-key'] = localStorage.getItem('earshot.visitor') ?? ''
    } catch {
      // Blocked storage knows nobody.
    }
    if (!headers['x-visitor-key']) return []
  }
  const response = await ask(`${origin}/e/${settings.key}/items`, { headers, cache: 'no-store' }, timeoutMs)
  if (!response?.ok) throw new Error('items')
  return (await response.json()).items
}
