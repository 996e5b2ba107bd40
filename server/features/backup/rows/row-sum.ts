import { hash } from 'node:crypto'

/** A checksum of rows that is the same in any order: COPY does not always give rows in the order of their insertion. */
export interface RowSum {
  /** Adds text as COPY writes it, in any portions. */
  add(chunk: Buffer): void
  /** 96 bits in hexadecimal digits. */
  read(): string
}

const limit = 2 ** 48
const newline = 10

/** Adds up the first 96 bits of the SHA-256 of each row, in two halves. */
export function createRowSum(): RowSum {
  let high = 0
  let low = 0
  let rest: Buffer[] = []
  const count = (row: Buffer) => {
    const digest = hash('sha256', row, 'buffer')
    high = (high + digest.readUIntBE(0, 6)) % limit
    low = (low + digest.readUIntBE(6, 6)) % limit
  }
  return {
    add: (chunk) => {
      let start = 0
      // COPY escapes the newlines of values: each one ends a row.
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        const piece = chunk.subarray(start, end)
        count(rest.length === 0 ? piece : Buffer.concat([...rest, piece]))
        rest = []
        start = end + 1
      }
      if (start < chunk.length) rest.push(chunk.subarray(start))
    },
    read: () => [high, low].map((half) => half.toString(16).padStart(12, '0')).join(''),
  }
}
