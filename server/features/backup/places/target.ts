/** A place to which an archive is written, in order, once. */
export interface Target {
  /** For people: a path, an address. */
  readonly location: string
  write(bytes: Buffer): Promise<void>
  /** All bytes were given: stores them durably. */
  complete(): Promise<void>
  /** Reads what was stored, to verify it; undefined where that is impossible. */
  read(): Promise<AsyncIterable<Buffer> | undefined>
  /** Gives the archive its name. */
  publish(): Promise<void>
  /** Removes what was written. */
  discard(): Promise<void>
}
