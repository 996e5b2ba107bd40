import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { BackupError } from '../backup-error.ts'
import {
  damaged,
  formatVersion,
  type Header,
  headerName,
  type Manifest,
  manifestName,
  manifestSumName,
  readFileName,
  readHeader,
  readManifest,
} from './format.ts'
import { readTar, type TarEntry } from './tar.ts'

/** What the reader of an archive does with it, in the archive's order. Parts without a function are only checked. */
export interface ArchiveVisitor {
  /** Called first. */
  onHeader(header: Header): Promise<void>
  onPart?(name: string, content: Buffer): Promise<void>
  /** Reads `body` to its end. */
  onFile?(file: { key: string; isWhole: boolean; bytes: number }, body: AsyncIterable<Buffer>): Promise<void>
  onProgress?(bytes: number): void
}

/** A part is compressed from 4 MiB; lists of checksums and the manifest are smaller. */
const largestPart = 512 * 1024 * 1024

/**
 * Reads a whole archive and compares every byte with its checksum. What the visitor was given before the end counts only
 * when this resolves.
 *
 * @throws BackupError when the archive is cut, changed, of a newer format, or none.
 */
export async function readArchive(source: AsyncIterable<Buffer>, visitor: ArchiveVisitor): Promise<Manifest> {
  const parts: Manifest['parts'] = []
  const seen = { count: 0, bytes: 0 }
  let unlisted = new Map<string, string>()
  let total = 0
  let manifestContent: Buffer = Buffer.alloc(0)
  const advance = (bytes: number) => {
    total += bytes
    visitor.onProgress?.(total)
  }
  for await (const entry of readTar(source)) {
    if (parts.length === 0 && entry.name !== headerName) throw notOurs()
    const file = readFileName(entry.name)
    if (file) {
      const hash = createHash('sha256')
      const body = alongside(entry.body, (chunk) => {
        hash.update(chunk)
        advance(chunk.length)
      })
      await visitor.onFile?.({ ...file, bytes: entry.bytes }, body)
      for await (const _ of body);
      unlisted.set(entry.name, hash.digest('hex'))
      seen.count += 1
      seen.bytes += entry.bytes
      continue
    }
    const content = await readPart(entry)
    advance(content.length)
    if (entry.name === manifestSumName) {
      const last = parts.pop()
      if (last?.name !== manifestName || content.toString('utf8') !== `${last.sha256}  ${manifestName}\n`) {
        throw damaged(manifestName)
      }
      const manifest = readManifest(manifestContent)
      compare(manifest, parts, seen)
      if (unlisted.size > 0) throw damaged([...unlisted.keys()][0] ?? manifestName)
      return manifest
    }
    const sha256 = createHash('sha256').update(content).digest('hex')
    parts.push({ name: entry.name, bytes: content.length, sha256 })
    if (entry.name === headerName) await visitor.onHeader(checkFormat(readHeader(content)))
    else if (entry.name.startsWith('checksums/')) {
      checkSums(content.toString('utf8'), unlisted)
      unlisted = new Map()
    } else if (entry.name === manifestName) manifestContent = content
    else await visitor.onPart?.(entry.name, content)
  }
  throw new BackupError('The archive is cut: its manifest is missing. Copy it again, or use another one.')
}

function readPart(entry: TarEntry): Promise<Buffer> {
  if (entry.bytes > largestPart) throw damaged(entry.name)
  return buffer(entry.body)
}

async function* alongside(body: AsyncIterable<Buffer>, look: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    look(chunk)
    yield chunk
  }
}

function checkFormat(header: Header): Header {
  if (header.format > formatVersion) {
    throw new BackupError(
      `The archive was made by a newer version of Earshot (${header.appVersion}). Restore it with that version or a later one.`,
    )
  }
  return header
}

function checkSums(text: string, found: Map<string, string>): void {
  const lines = text.split('\n').filter((line) => line !== '')
  for (const line of lines) {
    const [sha256, name = ''] = line.split('  ')
    if (found.get(name) !== sha256) throw damaged(name)
  }
  if (lines.length !== found.size) throw damaged('a list of checksums')
}

function compare(manifest: Manifest, parts: Manifest['parts'], files: { count: number; bytes: number }): void {
  for (const [index, wanted] of manifest.parts.entries()) {
    const found = parts[index]
    if (found?.name !== wanted.name || found.bytes !== wanted.bytes || found.sha256 !== wanted.sha256) {
      throw damaged(wanted.name)
    }
  }
  if (manifest.parts.length !== parts.length) throw damaged('the list of parts')
  if (manifest.files.count !== files.count || manifest.files.bytes !== files.bytes) throw damaged('the list of files')
}

function notOurs(): BackupError {
  return new BackupError('This is no backup of Earshot: it does not begin with backup.json. Use another archive.')
}
