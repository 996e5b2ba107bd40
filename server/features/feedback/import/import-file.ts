import { createHash } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import type { ImportLayout } from '#contract/imports.ts'

export type Encoding = ImportLayout['encoding']

/** Facts about a file, collected while its bytes are stored. */
export interface FileFacts {
  readonly encoding: Encoding
  readonly contentHash: Buffer
  readonly bytes: number
  /** Its first bytes, which show its format. */
  readonly head: Buffer
}

/** The file is not one that can be imported; the message says why, for people. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
}

const headBytes = 512 * 1024

/** Collects the facts that need the whole file, while it streams past: encoding, size and hash. */
export class FileObserver extends Transform {
  readonly #hash = createHash('sha256')
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true })
  readonly #head: Buffer[] = []
  readonly #maxBytes: number
  #isUtf8 = true
  #bytes = 0

  constructor(maxBytes: number) {
    super()
    this.#maxBytes = maxBytes
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#bytes + chunk.length > this.#maxBytes) {
      done(new FileTooLargeError())
      return
    }
    if (this.#bytes < headBytes) this.#head.push(chunk)
    this.#bytes += chunk.length
    this.#hash.update(chunk)
    this.#isUtf8 &&= isDecodable(this.#utf8, chunk, true)
    done(null, chunk)
  }

  /** Call after the last byte. */
  learn(): FileFacts {
    const head = Buffer.concat(this.#head).subarray(0, headBytes)
    const isUtf8 = this.#isUtf8 && isDecodable(this.#utf8, new Uint8Array(), false)
    return { encoding: detectEncoding(head, isUtf8), contentHash: this.#hash.digest(), bytes: this.#bytes, head }
  }
}

export class FileTooLargeError extends Error {}

function isDecodable(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): boolean {
  try {
    decoder.decode(bytes, { stream })
    return true
  } catch {
    return false
  }
}

/** By its byte order mark; else by its zeros, as in Excel's "Unicode text"; invalid UTF-8 is Excel's Windows-1252. */
function detectEncoding(head: Buffer, isUtf8: boolean): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const sample = head.subarray(0, 4096)
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  if ((zeros[1] ?? 0) > sample.length / 5) return 'utf-16le'
  if ((zeros[0] ?? 0) > sample.length / 5) return 'utf-16be'
  return isUtf8 ? 'utf-8' : 'windows-1252'
}

/** @throws UnreadableFileError for a file that is no text. */
export function refuseForeignForms(head: Buffer): void {
  if (head.length === 0) throw new UnreadableFileError('The file is empty.')
  const start = head.subarray(0, 8).toString('latin1')
  if (start.startsWith('PK')) {
    throw new UnreadableFileError(
      'This is a ZIP archive or an Excel workbook. Save the sheet as CSV, or unpack it first.',
    )
  }
  if (start.startsWith('\x1f\x8b')) throw new UnreadableFileError('This file is compressed. Unpack it first.')
  if (start.startsWith('\xd0\xcf\x11\xe0') || start.startsWith('%PDF')) {
    throw new UnreadableFileError('This is neither CSV nor JSON. Save the sheet as CSV.')
  }
}

/** The text of a file, piece by piece; invalid bytes become U+FFFD. */
export async function* decodeText(source: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of source) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}
