import { readStored, removeStored, storageKeys, writeStored } from './storage.ts'

/** What somebody began to write and has not sent. */
export interface UnsentText {
  /** What it is, e.g. `Reply in #12`. */
  readonly label: string
  readonly text: string
}

/** By a name of the writer's own choice. */
type Unsent = Map<string, UnsentText>

let ownerId = ''
let unsent: Unsent = new Map()

/**
 * Opens what a person began to write in this tab and forgets what anybody else did. It outlives going elsewhere, a
 * reload, and a session that ends: whoever signs in again finds it.
 */
export function openUnsent(userId: string): void {
  if (userId === ownerId) return
  ownerId = userId
  unsent = readKept(userId)
  keep()
}

/** What was kept under the name; only who keeps it knows what it is beside its text. */
export function findUnsent<Kept extends UnsentText>(name: string): Kept | undefined {
  return unsent.get(name) as Kept | undefined
}

/** Keeps a text until it is sent; one that is blank is forgotten. */
export function keepUnsent(name: string, kept: UnsentText): void {
  if (kept.text.trim() === '') unsent.delete(name)
  else unsent.set(name, kept)
  keep()
}

/** Everything that is not sent, in the order in which it was begun. */
export function listUnsent(): UnsentText[] {
  return [...unsent.values()]
}

/** Forgets all: for who leaves on purpose. */
export function forgetUnsent(): void {
  ownerId = ''
  unsent.clear()
  keep()
}

function keep(): void {
  if (unsent.size === 0) removeStored(storageKeys.unsentTexts, 'session')
  else writeStored(storageKeys.unsentTexts, JSON.stringify({ ownerId, texts: [...unsent] }), 'session')
}

function readKept(userId: string): Unsent {
  try {
    const kept: { ownerId: string; texts: [string, UnsentText][] } = JSON.parse(
      readStored(storageKeys.unsentTexts, 'session') ?? '',
    )
    return new Map(kept.ownerId === userId ? kept.texts : [])
  } catch {
    // None, or something else's doing.
    return new Map()
  }
}
