import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Visitor } from '#contract/visitors.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import type { ExportedFile, ExportedItem } from './export-visitor.queries.ts'

export interface ArchivePage {
  readonly item: ExportedItem
  readonly files: readonly ExportedFile[]
}

/**
 * A ZIP of everything about a visitor, made while it is read: neither the items nor their files are ever complete in
 * memory or on disk.
 *
 * @param pages reads the items, a page at a time.
 */
export function writeVisitorArchive(
  visitor: Visitor,
  pages: () => AsyncIterable<readonly ArchivePage[]>,
  storage: Pick<Storage, 'read'>,
): Readable {
  const zip = new ZipFile()
  const output = new PassThrough()
  const files: { path: string; storageKey: string }[] = []
  let open: Readable | undefined
  zip.addBuffer(Buffer.from(`${JSON.stringify(visitor, null, 2)}\n`), 'visitor.json')
  zip.addReadStreamLazy('items.json', (take) => {
    open = Readable.from(writeItems(pages, (file) => files.push(file)))
    // The files are known after the last item, and each is opened at its turn.
    open.once('end', () => {
      for (const { path, storageKey } of files) {
        zip.addReadStreamLazy(path, { compress: false }, (takeFile) => {
          openFile(storage, storageKey).then(
            (stream) => {
              open = stream
              takeFile(null, stream)
            },
            (error: unknown) => takeFile(error, Readable.from([])),
          )
        })
      }
      zip.end()
    })
    open.once('error', (error) => output.destroy(error))
    take(null, open)
  })
  zip.on('error', (error: Error) => output.destroy(error))
  // The client disconnected: stop reading.
  output.once('close', () => open?.destroy())
  zip.outputStream.pipe(output)
  return output
}

async function* writeItems(
  pages: () => AsyncIterable<readonly ArchivePage[]>,
  note: (file: { path: string; storageKey: string }) => void,
): AsyncGenerator<string> {
  let before = '[\n'
  for await (const page of pages()) {
    for (const { item, files } of page) {
      const listed = files.map((file, index) => {
        const path = file.storageKey === null ? null : toPath(item, file, index)
        if (path !== null && file.storageKey !== null) note({ path, storageKey: file.storageKey })
        return { id: file.id, kind: file.kind, name: file.name, type: file.mime, path }
      })
      yield `${before}${JSON.stringify({ ...item, files: listed }, null, 2)}`
      before = ',\n'
    }
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

// The visitor's file name is untrusted: no path separators, and no characters that file systems refuse.
function toPath(item: ExportedItem, file: ExportedFile, index: number): string {
  const name = (file.name ?? file.kind)
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^\.+/, '')
    .slice(-80)
  return `files/${item.id}/${index + 1}-${name || file.kind}`
}

/** A missing file must not break the archive. */
function openFile(storage: Pick<Storage, 'read'>, storageKey: string): Promise<Readable> {
  return storage.read(storageKey).catch(() => Readable.from(['This file is missing.\n']))
}
