import type pg from 'pg'
import type { Storage } from '#server/platform/storage/storage.ts'

const batch = 1_000

/** A file that a row names. */
export interface NamedFile {
  readonly key: string
  /** Whether the storage must have it: one that is still received or checked may be missing. */
  readonly isExpected: boolean
  /** Whether its upload has not ended. */
  readonly isReceiving: boolean
}

/** Tables with the query for the files that they name. An instance before its upgrade lacks tables of later versions. */
const namers = [
  [
    'public.uploads',
    `select storage_key as key, state = 'ready' as "isExpected", state = 'receiving' as "isReceiving"
     from public.uploads where state <> 'refused'
     union all select playback_key, true, false from public.uploads where playback_key is not null
     union all select poster_key, true, false from public.uploads where poster_key is not null`,
  ],
  [
    'public.exports',
    `select storage_key, true, false from public.exports where storage_key is not null and state = 'ready'`,
  ],
  ['public.imports', `select storage_key, false, false from public.imports where storage_key is not null`],
  ['public.blog_pictures', `select storage_key, true, false from public.blog_pictures`],
] as const

/** Every file that the rows of the snapshot name, a batch at a time. */
export async function* listNamedFiles(client: pg.Client): AsyncGenerator<NamedFile> {
  const parts: string[] = []
  for (const [table, query] of namers) {
    const { rows } = await client.query<{ isThere: boolean }>(`select to_regclass($1) is not null as "isThere"`, [
      table,
    ])
    if (rows[0]?.isThere) parts.push(query)
  }
  await client.query(`declare named_files no scroll cursor for ${parts.join(' union all ')}`)
  for (;;) {
    const { rows } = await client.query<NamedFile>(`fetch ${batch} from named_files`)
    yield* rows
    if (rows.length < batch) break
  }
  await client.query('close named_files')
}

/** A file as it is stored now. */
export interface StoredFile {
  readonly isWhole: boolean
  readonly bytes: number
  open(): Promise<AsyncIterable<Uint8Array>>
}

/** Other keys were not made by the server: nothing can be stored under them. */
const keyShape = /^[0-9a-f-]{36}\/[0-9a-f-]{36}(\.[a-z0-9]+)?$/

/** Undefined: the storage has nothing of it. Of an upload that has not ended, it is what has arrived. */
export async function findStoredFile(
  storage: Storage,
  { key, isReceiving }: NamedFile,
): Promise<StoredFile | undefined> {
  if (!keyShape.test(key)) return undefined
  // On a disk, an unfinished upload looks like a file.
  const whole = await storage.stat(key)
  const bytes = whole?.bytes ?? (await storage.received(key))
  if (bytes === 0 && !whole) return undefined
  const isWhole = whole !== undefined && !isReceiving
  return {
    isWhole,
    bytes,
    open: async () => limit(await (whole ? storage.read(key) : storage.readReceived(key)), bytes),
  }
}

/** An unfinished upload grows while it is read. */
async function* limit(source: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes
  for await (const chunk of source) {
    if (chunk.length >= left) {
      yield chunk.subarray(0, left)
      return
    }
    left -= chunk.length
    yield chunk
  }
}
