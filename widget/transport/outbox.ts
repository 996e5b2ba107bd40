/** One submission on its way. It leaves the outbox when the server has confirmed it, and for no other reason but refusal. */
export interface OutboxItem {
  readonly id: string
  readonly url: string
  /** JSON, byte for byte the same over all attempts: the server tells a retry from another submission by it. */
  readonly body: string
  readonly attempts: number
  /** Own back-off: not before this time in milliseconds since 1970, unless the network has just come back. */
  readonly notBefore: number
  /** What the server asked for with Retry-After: never before this time. */
  readonly heldUntil: number
  /** Why the server refused it while nobody was looking; shown with the text when the panel opens next. */
  readonly refusal?: string
}

// Read by the loader before any of this is loaded.
const waitingFlag = 'earshot.waiting'
const store = 'items'

/** Holds what IndexedDB would not take: blocked storage, private modes, a full disk. */
const memory = new Map<string, OutboxItem>()

/** Runs one request in a transaction of its own; resolves when it is committed. The connection never stays open. */
function withStore<Result>(
  mode: IDBTransactionMode,
  request: (items: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('earshot', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(store, { keyPath: 'id' })
    opening.onerror = () => reject(opening.error)
    opening.onblocked = () => reject(new Error('blocked'))
    opening.onsuccess = () => {
      const database = opening.result
      try {
        const transaction = database.transaction(store, mode, { durability: 'strict' })
        const done = request(transaction.objectStore(store))
        transaction.oncomplete = () => resolve(done.result)
        transaction.onabort = () => reject(transaction.error)
      } catch (error) {
        reject(error)
      } finally {
        // Takes effect after the transaction; an open connection would block a later version's upgrade.
        database.close()
      }
    }
  })
}

function setFlag(waiting: boolean): void {
  try {
    if (waiting) localStorage.setItem(waitingFlag, '1')
    else localStorage.removeItem(waitingFlag)
  } catch {
    // Then the next visit does not know; this one still sends.
  }
}

/** Stores or replaces an item. Resolves to whether it survives the page. */
export async function putItem(item: OutboxItem): Promise<boolean> {
  try {
    await withStore('readwrite', (items) => items.put(item))
    memory.delete(item.id)
    setFlag(true)
    return true
  } catch {
    memory.set(item.id, item)
    return false
  }
}

/** Everything that waits, oldest first (ids sort by time). */
export async function listItems(): Promise<OutboxItem[]> {
  const stored = await withStore<OutboxItem[]>('readonly', (items) => items.getAll()).catch(() => [])
  return [...stored, ...memory.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

export async function removeItem(id: string): Promise<void> {
  memory.delete(id)
  try {
    await withStore('readwrite', (items) => items.delete(id))
    const left = await withStore('readonly', (items) => items.count())
    if (!left) setFlag(false)
  } catch {
    // A blocked store holds nothing.
  }
}
