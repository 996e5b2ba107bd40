import { readStored, removeStored, storageKeys, writeStored } from './storage.ts'

/** An unsent draft. */
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
 * Opens a person's drafts of this tab and deletes other people's. Drafts survive navigation, a reload and an expired
 * session.
 */
export function openUnsent(userId: string): void {
  if (userId === ownerId) return
  ownerId = userId
  unsent = readKept(userId)
  keep()
}

/** The draft stored under the name. */
export function findUnsent<Kept extends UnsentText>(name: string): Kept | undefined {
  // Each name is used with one type.
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
