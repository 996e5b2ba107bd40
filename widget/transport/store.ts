import { within } from './within.ts'

/**
 * A record that must survive until the server has it: a submission, an upload or a chunk of one. Its key starts with a
 * letter for the kind and the id of its owner, so that one prefix finds related records.
 */
export interface Kept {
  readonly key: string
}

// Read by the loader before any of this is loaded.
const flag = 'earshot.waiting'
const name = 'kept'

/** Records that IndexedDB refused: blocked storage, private modes, a full disk, a project without storage. */
const memory = new Map<string, Kept>()
let isAllowed = true
let isUsed = false
/** A request took too long. Later ones go by memory at once, until the database opens after all. */
let isHanging = false

/** Sets whether the project allows storage in the visitor's browser. */
export function allowStorage(allowed: boolean): void {
  isAllowed = allowed
}

/** A value of the page's local storage; null where storage is blocked. */
export function readLocal(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/**
 * Runs a request in a transaction of its own; resolves when it is committed. The connection never stays open. A request
 * that took too long is never committed later: its records are in memory by then, and may be sent or withdrawn.
 */
async function withStore<Result>(request: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
  if (isHanging) throw new Error('the storage hangs')
  let isLate = false
  let transaction: IDBTransaction | undefined
  const opening = indexedDB.open('earshot', 2)
  opening.onupgradeneeded = () => opening.result.createObjectStore(name, { keyPath: 'key' })
  const work = new Promise<Result>((resolve, reject) => {
    opening.onerror = opening.onblocked = reject
    opening.onsuccess = () => {
      const database = opening.result
      if (isLate) isHanging = false
      else
        try {
          transaction = database.transaction(name, 'readwrite', { durability: 'strict' })
          const done = request(transaction.objectStore(name))
          transaction.oncomplete = () => resolve(done.result)
          transaction.onabort = reject
        } catch (error) {
          reject(error)
        }
      // After its transaction: an open connection would block a later version's upgrade.
      database.close()
    }
  })
  try {
    return await within(work)
  } catch (error) {
    isLate = true
    // Without a reason: nothing answered.
    if (!error) {
      isHanging = true
      transaction?.abort()
    }
    throw error
  }
}

/** Most visits have nothing to find, and never open a database. */
const hasStored = () => !isHanging && (isUsed || !!readLocal(flag))

const range = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}~`)

/** Stores or replaces records, all or none: in the browser's database, else in memory. */
export async function put(...records: Kept[]): Promise<void> {
  for (const record of records) memory.set(record.key, record)
  if (!isAllowed) return
  try {
    await withStore((store) => {
      for (const record of records) store.put(record)
      return store.count()
    })
    for (const { key } of records) memory.delete(key)
    isUsed = true
    localStorage.setItem(flag, '1')
  } catch {
    // The records stay in memory. If only the flag is missing, the next visit does not find them, but this one sends.
  }
}

/** Whether all records of these ids survive the page. */
export function isSafe(ids: readonly string[]): boolean {
  const keys = [...memory.keys()].join()
  return !ids.some((id) => keys.includes(id))
}

/** Everything under keys that start like this, in their order; ids sort by time. */
export async function list<Record extends Kept>(prefix: string): Promise<Record[]> {
  const found = new Map<string, Kept>()
  const stored = hasStored() && (await withStore<Kept[]>((store) => store.getAll(range(prefix))).catch(() => []))
  for (const record of stored || []) found.set(record.key, record)
  for (const [key, record] of memory) if (key.startsWith(prefix)) found.set(key, record)
  // The caller's prefix names the kind of record.
  return [...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1)) as Record[]
}

/** Forgets everything under keys that start like one of these, all or nothing. */
export async function remove(...prefixes: string[]): Promise<void> {
  for (const key of memory.keys()) if (prefixes.some((prefix) => key.startsWith(prefix))) memory.delete(key)
  if (!hasStored()) return
  try {
    const left = await withStore((store) => {
      for (const prefix of prefixes) store.delete(range(prefix))
      return store.count()
    })
    if (!left) localStorage.removeItem(flag)
  } catch {
    // A blocked store is empty.
  }
}
