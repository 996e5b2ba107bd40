import type { OwnItem } from '#contract/widget.ts'
import type { Stage } from '../loader/stage.ts'
import { ask, writeUrl } from './ask.ts'
import { readLocal } from './store.ts'

/**
 * The visitor's own items, newest first: of the verified visitor, else of this browser. Sends no request for a visitor
 * without id and key.
 * @throws when the server does not return them
 */
export async function listOwnItems(stage: Stage): Promise<readonly OwnItem[]> {
  const { id, hash } = stage.visitor
  const key = readLocal('earshot.visitor')
  const isKnown = id && hash
  if (!isKnown && !key) return []
  const headers: HeadersInit = isKnown
    ? { 'x-visitor-id': encodeURIComponent(id), 'x-visitor-hash': hash }
    : { 'x-visitor-key': key ?? '' }
  const url = writeUrl(stage, 'items')
  // The second goes another way.
  const response = (await ask(url, { headers })) ?? (await ask(url, { headers }))
  const { items } = (await response?.json()) ?? {}
  // Throws when the answer contains no items.
  return [...items]
}
