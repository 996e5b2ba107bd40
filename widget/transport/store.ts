/**
 * Whatever must survive until the server has it: submissions, uploads and the bytes of these, each under a key that
 * starts with a letter for its kind and the id it belongs to, so that one prefix finds all that belongs together.
 */
export interface Kept {
  readonly key: string
}

// Read by the loader before any of this is loaded.
const flag = 'earshot.waiting'
const name = 'kept'

/** Holds what IndexedDB would not take: blocked storage, private modes, a full disk, a project that stores nothing. */
const memory = new Map<string, Kept>()
let isPersistent = true
/** Whether there is anything to find: most visits never open a database. */
let isUsed = false

/** Tells whether the project allows to keep anything in the visitor's browser. */
export function setPersistent(allowed: boolean): void {
  isPersistent = allowed
}

/** Runs one request in a transaction of its own; resolves when it is committed. The connection never stays open. */
function withStore<Result>(
  mode: IDBTransactionMode,
  request: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('earshot', 2)
    opening.onupgradeneeded = () => opening.result.createObjectStore(name, { keyPath: 'key' })
    opening.onerror = opening.onblocked = reject
    opening.onsuccess = () => {
      const database = opening.result
      try {
        const transaction = database.transaction(name, mode, { durability: 'strict' })
        const done = request(transaction.objectStore(name))
        transaction.oncomplete = () => resolve(done.result)
        transaction.onabort = reject
      } catch (error) {
        reject(error)
      } finally {
        // Takes effect after the transaction; an open connection would block a later version's upgrade.
        database.close()
      }
    }
  })
}

const range = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}~`)

/** Stores or replaces a record: in the browser's database, else in memory. */
export async function put(record: Kept): Promise<void> {
  memory.set(record.key, record)
  try {
    if (!isPersistent) return
    await withStore('readwrite', (store) => store.put(record))
    memory.delete(record.key)
    isUsed = true
    localStorage.setItem(flag, '1')
  } catch {
    // In memory it stays. Without the flag alone the next visit does not know of it, but this one still sends.
  }
}

/** Whether everything that belongs to these ids is still there when the page is gone. */
export function isSafe(ids: readonly string[]): boolean {
  return ![...memory.keys()].some((key) => ids.some((id) => key.includes(id)))
}

/** Everything under keys that start like this, in their order; ids sort by time. */
export async function list<Record extends Kept>(prefix: string): Promise<Record[]> {
  const found = new Map<string, Kept>()
  try {
    if (isPersistent && (isUsed || localStorage.getItem(flag))) {
      for (const record of await withStore<Kept[]>('readonly', (store) => store.getAll(range(prefix)))) {
        found.set(record.key, record)
      }
    }
  } catch {
    // A blocked store holds nothing.
  }
  for (const [key, record] of memory) if (key.startsWith(prefix)) found.set(key, record)
  return [...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1)) as Record[]
}

/** Forgets everything under keys that start like this. */
export async function remove(prefix: string): Promise<void> {
  for (const key of memory.keys()) if (key.startsWith(prefix)) memory.delete(key)
  try {
    if (!isPersistent) return
    await withStore('readwrite', (store) => store.delete(range(prefix)) as IDBRequest<unknown>)
    // In this order, lest the flag of another tab's new record is taken away.
    localStorage.removeItem(flag)
    if (await withStore('readonly', (store) => store.count())) localStorage.setItem(flag, '1')
  } catch {
    // A blocked store holds nothing.
  }
}
