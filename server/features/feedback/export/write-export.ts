import { once } from 'node:events'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { ExportFormat } from '#contract/exports.ts'
import { FileMissingError, type Storage } from '#server/platform/storage/storage.ts'
import { type Cell, writeCsv } from '#server/platform/text/write-csv.ts'
import { type Column, listColumns } from './export-columns.ts'
import type { Question } from './export-items.queries.ts'
import type { ExportFile, ExportItem } from './read-items.ts'
import { addWorkbook } from './xlsx.ts'
import { createFolders } from './zip-folders.ts'

/** The sources of an export. Memory contains one page of items and one file's next bytes. */
export interface ExportSource {
  readonly questions: readonly Question[]
  readonly storage: Storage
  /** Each call yields all items from the first. */
  items(isWhole: boolean): AsyncIterable<ExportItem>
  /** Called for a file whose bytes are missing. */
  onMissingFile(): void
}

/** Passes of each format through the items. Progress is a share of all passes. */
export const passesOf: Readonly<Record<ExportFormat, number>> = { csv: 1, xlsx: 1, json: 1, zip: 3 }

/** The bytes of an export. The reader's next step throws errors on the way. */
export function writeExport(format: ExportFormat, source: ExportSource): AsyncIterable<Uint8Array> {
  switch (format) {
    case 'csv':
      return inChunks(writeCsv(readTable(source)))
    case 'json':
      return inChunks(writeJson(source, () => undefined))
    case 'xlsx': {
      const columns = listColumns(source.questions)
      return zip((archive) => addWorkbook(archive, columns, readRows(source, columns)))
    }
    case 'zip':
      return zip((archive) => addEverything(archive, source))
  }
}

async function* readTable(source: ExportSource): AsyncGenerator<readonly Cell[]> {
  const columns = listColumns(source.questions)
  yield columns.map(({ name }) => name)
  yield* readRows(source, columns)
}

async function* readRows(source: ExportSource, columns: readonly Column[]) {
  for await (const item of source.items(false)) yield columns.map((column) => column.read(item))
}

async function* writeJson(
  source: ExportSource,
  pathOf: (item: ExportItem, file: ExportFile) => string | undefined,
): AsyncGenerator<string> {
  const labels = new Map(source.questions.map(({ id, label }) => [id, label]))
  let before = '[\n'
  for await (const { answers, attachments, commentCount: _, ...item } of source.items(true)) {
    const fields = Object.entries(answers).map(([id, value]) => ({ id, label: labels.get(id) ?? id, value }))
    const files = attachments.map((file) => {
      const { storageKey, isPacked: __, ...rest } = file
      const path = storageKey === null ? undefined : pathOf({ answers, attachments, commentCount: _, ...item }, file)
      return path === undefined ? rest : { ...rest, path }
    })
    yield before + JSON.stringify({ ...item, fields, attachments: files })
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

async function addEverything(archive: ZipFile, source: ExportSource): Promise<void> {
  const folders = createFolders()
  const add = async (text: AsyncIterable<string>, name: string) => {
    const stream = Readable.from(inChunks(text), { objectMode: false })
    archive.addReadStream(stream, name, { compress: true })
    await endOf(stream)
  }
  await add(
    writeJson(source, (item, file) => folders.pathOf(item, file)),
    'items.json',
  )
  await add(writeCsv(readTable(source)), 'items.csv')
  for await (const item of source.items(false)) {
    for (const file of item.attachments) {
      if (file.storageKey === null) continue
      const stream = await openFile(source.storage, file.storageKey)
      if (!stream) {
        source.onMissingFile()
        continue
      }
      // Visitors' files are compressed already: compressing them again costs time and saves nothing.
      archive.addReadStream(stream, folders.pathOf(item, file), { compress: false, mtime: item.createdAt })
      // One at a time: open files and connections to the storage are few.
      await endOf(stream)
    }
  }
}

async function openFile(storage: Storage, key: string): Promise<Readable | undefined> {
  try {
    return await storage.read(key)
  } catch (error) {
    if (error instanceof FileMissingError) return undefined
    throw error
  }
}

/** Settles when the stream was read to its end; rejects when it broke. */
async function endOf(stream: Readable): Promise<void> {
  if (!stream.readableEnded) await once(stream, 'end')
}

/** An archive that `fill` puts entries into, while it is read. */
async function* zip(fill: (archive: ZipFile) => Promise<void>): AsyncGenerator<Uint8Array> {
  const archive = new ZipFile()
  // yazl gives a PassThrough; its types say NodeJS.ReadableStream.
  const output = archive.outputStream as Readable
  archive.on('error', (error: Error) => output.destroy(error))
  const filled = fill(archive).then(
    () => archive.end(),
    (error: Error) => output.destroy(error),
  )
  try {
    // Without an encoding, a stream gives bytes.
    yield* output as AsyncIterable<Uint8Array>
  } finally {
    output.destroy()
  }
  await filled
}

const chunkLength = 64 * 1024

async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let waiting = ''
  for await (const text of texts) {
    waiting += text
    if (waiting.length < chunkLength) continue
    yield Buffer.from(waiting)
    waiting = ''
  }
  if (waiting !== '') yield Buffer.from(waiting)
}
