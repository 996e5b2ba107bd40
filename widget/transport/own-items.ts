import type { OwnItem } from '#contract/widget.ts'
import type { Stage } from '../loader/stage.ts'
import { ask, writeUrl } from './ask.ts'
import { readLocal } from './store.ts'

/**
 * The visitor's own items, newest first: those of the person the site vouches for, else those of this browser.
 * Nothing is asked for a visitor whom nobody could know.
 * @throws when the server did not give them
 */
export async function listOwnItems(stage: Stage): Promise<readonly OwnItem[]> {
  const { id, hash } = stage.visitor
  const key = readLocal('earshot.visitor')
  const isKnown = id && hash
  if (!isKnown && !key) return []
  const response = await ask(writeUrl(stage, 'items'), {
    headers: isKnown
      ? { 'x-visitor-id': encodeURIComponent(id), 'x-visitor-hash': hash }
      : { 'x-visitor-key': key ?? '' },
  })
  const { items } = (await response?.json()) ?? {}
  // What is not there cannot be spread.
  return [...items]
}
