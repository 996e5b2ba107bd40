import type { Readable } from 'node:stream'

/** Bytes from `start` to `end`, both inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Derivatives of a file, by the suffix of their key. */
export const derivatives = ['mp4', 'webm', 'jpg'] as const
export type Derivative = (typeof derivatives)[number]

/**
 * File storage: a disk or an object store. The server creates keys, and each names one file forever; the keys of
 * derivatives begin with the file's key.
 */
export interface Storage {
  /**
   * Appends to an incomplete upload. All bytes that `source` gave before it ended or failed are durable when this
   * settles. The caller must be the file's only writer.
   *
   * @param offset the stored bytes, from {@link received}.
   * @returns the stored bytes after this call.
   */
  append(key: string, source: AsyncIterable<Uint8Array>, offset: number): Promise<number>
  /** The stored bytes of an incomplete upload. */
  received(key: string): Promise<number>
  /** The stored bytes of an incomplete upload; it may grow meanwhile. */
  readReceived(key: string): Promise<Readable>
  /** Assembles the upload into one file. Idempotent. */
  finish(key: string): Promise<void>
  /** Stores a whole file, replacing one with this key. */
  put(key: string, path: string): Promise<void>
  /**
   * Stores a whole file, or derivative, of known length from a stream, replacing one with this key.
   *
   * @throws when the stream ends early: nothing is stored then.
   */
  write(key: string, source: AsyncIterable<Uint8Array>, bytes: number): Promise<void>
  /** @throws FileMissingError */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** Size of a whole file in bytes; undefined when there is none. */
  stat(key: string): Promise<{ bytes: number } | undefined>
  /** Removes a file, its incomplete upload and its derivatives. Idempotent. */
  remove(key: string): Promise<void>
  /** Every file, without derivatives, with the time of its last change. */
  list(): AsyncIterable<{ key: string; changedAt: Date }>
  /** Gives `use` a path at which the whole file can be read, until it settles. @throws FileMissingError */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>
}

/** No file has this key. */
export class FileMissingError extends Error {
  constructor(key: string) {
    super(`no file is stored as ${key}`)
    this.name = 'FileMissingError'
  }
}

/** The object store is unreachable or answers with an error. A retry may work. */
export class StorageUnavailableError extends Error {
  constructor(cause: unknown) {
    super('the object store is not available', { cause })
    this.name = 'StorageUnavailableError'
  }
}

/** The key of a file's derivative. */
export function derivedKey(key: string, derivative: Derivative): string {
  return `${key}.${derivative}`
}
