import { randomBytes } from 'node:crypto'

/** What lets our own inline scripts and styles run: new for every answer. */
export interface Nonces {
  readonly script: string
  readonly style: string
}

/** Bytes, and where in them the nonces of an answer go. */
export interface Fillable {
  readonly bytes: Buffer
  readonly scriptAt: readonly number[]
  readonly styleAt: readonly number[]
}

const nonceBytes = 16
/** In characters: as long as those of the security headers. */
export const nonceLength = nonceBytes * 2

export function createNonce(): string {
  return randomBytes(nonceBytes).toString('hex')
}

/** A copy with these nonces. */
export function fillNonces({ bytes, scriptAt, styleAt }: Fillable, { script, style }: Nonces): Buffer {
  const filled = Buffer.from(bytes)
  for (const at of scriptAt) filled.write(script, at, 'latin1')
  for (const at of styleAt) filled.write(style, at, 'latin1')
  return filled
}
