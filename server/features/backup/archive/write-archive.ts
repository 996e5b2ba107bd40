import { createHash } from 'node:crypto'
import { headerName, type Manifest, manifestName, manifestSumName, sumsName } from './format.ts'
import { tarEnd, tarPadding, writeTarHeader } from './tar.ts'

/** Where an archive's bytes go, in order. */
export interface Sink {
  write(bytes: Buffer): Promise<void>
}

export interface ArchiveWriter {
  /** Adds a part. */
  add(name: string, content: Buffer): Promise<void>
  /** Adds a file of the storage. @throws when `body` has not exactly so many bytes. */
  addFile(name: string, bytes: number, body: AsyncIterable<Uint8Array>): Promise<void>
  /** Ends the archive with its manifest. */
  finish(manifest: Omit<Manifest, 'parts'>): Promise<void>
  /** Bytes written until now. */
  written(): number
}

/** Files between two lists of their checksums. */
const filesPerList = 1_000

/** Writes an archive as a stream. Needs memory for the list of parts, none for each file. */
export function createArchiveWriter(sink: Sink, createdAt: Date): ArchiveWriter {
  const parts: Manifest['parts'] = []
  let sums = ''
  let unlisted = 0
  let lists = 0
  let total = 0

  async function write(bytes: Buffer): Promise<void> {
    total += bytes.length
    if (bytes.length > 0) await sink.write(bytes)
  }

  async function add(name: string, content: Buffer): Promise<void> {
    await write(writeTarHeader(name, content.length, createdAt))
    await write(content)
    await write(tarPadding(content.length))
    const sha256 = createHash('sha256').update(content).digest('hex')
    parts.push({ name, bytes: content.length, sha256 })
  }

  async function listFiles(): Promise<void> {
    if (unlisted === 0) return
    await add(sumsName(lists), Buffer.from(sums))
    lists += 1
    unlisted = 0
    sums = ''
  }

  return {
    add,
    addFile: async (name, bytes, body) => {
      await write(writeTarHeader(name, bytes, createdAt))
      const hash = createHash('sha256')
      let length = 0
      for await (const chunk of body) {
        length += chunk.length
        if (length > bytes) break
        hash.update(chunk)
        await write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))
      }
      if (length !== bytes) throw new Error(`the file ${name} has other bytes than the storage said`)
      await write(tarPadding(bytes))
      sums += `${hash.digest('hex')}  ${name}\n`
      unlisted += 1
      if (unlisted === filesPerList) await listFiles()
    },
    finish: async (manifest) => {
      await listFiles()
      const content = Buffer.from(`${JSON.stringify({ ...manifest, parts }, null, 1)}\n`)
      await add(manifestName, content)
      await add(
        manifestSumName,
        Buffer.from(`${createHash('sha256').update(content).digest('hex')}  ${manifestName}\n`),
      )
      await write(tarEnd)
    },
    written: () => total,
  }
}

/** The header is the first part. */
export function headerPart(header: object): [name: string, content: Buffer] {
  return [headerName, Buffer.from(`${JSON.stringify(header, null, 1)}\n`)]
}
