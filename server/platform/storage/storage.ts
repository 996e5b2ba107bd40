import type { Readable } from 'node:stream'

/** Bytes from `start` to `end`, both counted. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** What was made of a file and lies beside it, by the end of its key. */
export const derivatives = ['mp4', 'webm', 'jpg'] as const
export type Derivative = (typeof derivatives)[number]

/**
 * Where files lie: a disk or an object store. Keys are made by the server and name one file for ever; what is made of a
 * file has a key that begins with its own.
 */
export interface Storage {
  /**
   * Adds to a file that is still arriving. Whatever `source` gave before it ended or failed is kept and safe when this
   * settles. Nobody else may write to the same file meanwhile.
   *
   * @param offset how much is here: what {@link received} says.
   * @returns how much is here now.
   */
  append(key: string, source: AsyncIterable<Uint8Array>, offset: number): Promise<number>
  /** How much of a file that is still arriving is here, in bytes. */
  received(key: string): Promise<number>
  /** Makes one file of what arrived. May be called again. */
  finish(key: string): Promise<void>
  /** Stores a whole file, in place of what was there under this key. */
  put(key: string, path: string): Promise<void>
  /** @throws FileMissingError */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** Size of a whole file in bytes; undefined when there is none. */
  stat(key: string): Promise<{ bytes: number } | undefined>
  /** Removes a file, what arrived of it, and all that was made of it. Nothing there: done. */
  remove(key: string): Promise<void>
  /** Every file (not what was made of it), with the time of its last change. */
  list(): AsyncIterable<{ key: string; changedAt: Date }>
  /** Gives `use` a path at which the whole file can be read, until it settles. @throws FileMissingError */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>
}

/** There is no file under this key. */
export class FileMissingError extends Error {
  constructor(key: string) {
    super(`no file is stored as ${key}`)
    this.name = 'FileMissingError'
  }
}

/** The object store does not answer, or not as it should. Asking again later may help. */
export class StorageUnavailableError extends Error {
  constructor(cause: unknown) {
    super('the object store is not available', { cause })
    this.name = 'StorageUnavailableError'
  }
}

/** Key of what was made of a file. */
export function derivedKey(key: string, derivative: Derivative): string {
  return `${key}.${derivative}`
}
