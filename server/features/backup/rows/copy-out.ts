import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type ArchivedTable, type Manifest, partName } from '../archive/format.ts'
import { createRowSum } from './row-sum.ts'
import { quoteTable } from './snapshot.ts'

const compress = promisify(zstdCompress)
/** Rows of a part before compression. */
const partBytes = 4 * 1024 * 1024
/** Parts that are compressed while the next are read. */
const parallelParts = 2
const level = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }

type TableSum = Manifest['tables'][number]

/** Reads the rows of a table as COPY writes them. */
export async function readRows(
  client: pg.Client,
  { name, columns }: ArchivedTable,
  onChunk: (chunk: Buffer) => Promise<void> | void,
): Promise<TableSum> {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  const stream = client.query(copyTo(`copy ${quoteTable(name)} (${list}) to stdout`))
  const sum = createRowSum()
  let bytes = 0
  // Without an encoding, a stream gives bytes.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    sum.add(chunk)
    bytes += chunk.length
    await onChunk(chunk)
  }
  return { name, rows: stream.rowCount, bytes, sum: sum.read() }
}

/** Gives the rows of a table as compressed parts, in order. Each part can be decompressed by itself. */
export async function copyOut(
  client: pg.Client,
  table: ArchivedTable,
  add: (name: string, content: Buffer) => Promise<void>,
): Promise<TableSum> {
  const compressing: Promise<Buffer>[] = []
  let waiting: Buffer[] = []
  let bytes = 0
  let index = 0

  async function passOn(): Promise<void> {
    const first = compressing.shift()
    if (first) await add(partName(table.name, index++), await first)
  }
  function cut(): void {
    if (bytes === 0) return
    const part = compress(Buffer.concat(waiting), level)
    // Reported where it is awaited.
    part.catch(() => {})
    compressing.push(part)
    waiting = []
    bytes = 0
  }

  const sum = await readRows(client, table, async (chunk) => {
    waiting.push(chunk)
    bytes += chunk.length
    if (bytes < partBytes) return
    cut()
    while (compressing.length > parallelParts) await passOn()
  })
  cut()
  while (compressing.length > 0) await passOn()
  return sum
}
