import { createHmac, timingSafeEqual } from 'node:crypto'

/** Which form of a file an address leads to. */
export type FileForm = 'original' | 'playback' | 'poster'

/** What a signed address names. */
export interface FileLink {
  readonly storageKey: string
  readonly form: FileForm
}

const forms: readonly FileForm[] = ['original', 'playback', 'poster']
const bodyBytes = 16 + 16 + 1 + 4
const macBytes = 16
// An address is the same for half an hour, so that a page that asks again shows what its browser has already; it ends
// within an hour of being given out.
const periodSeconds = 1800

/** Makes and reads addresses of files: who has one may read that one form of that one file until it ends. */
export interface FileLinks {
  /**
   * Path on this server, base path included.
   *
   * @param days how long it works. Default: half an hour to an hour.
   */
  make(link: FileLink, days?: number): string
  /** Undefined for whatever was not made here, was changed or has ended. */
  read(token: string): FileLink | undefined
}

/**
 * A token is organisation, file, form and end (seconds since 1970), followed by 128 bits of their HMAC-SHA-256, in
 * base64url.
 */
export function createFileLinks(key: Buffer, basePath = '', now: () => number = Date.now): FileLinks {
  const sign = (body: Buffer) => createHmac('sha256', key).update(body).digest().subarray(0, macBytes)
  return {
    make: ({ storageKey, form }, days) => {
      const body = Buffer.alloc(bodyBytes)
      body.write(storageKey.replaceAll(/[-/]/g, ''), 'hex')
      body.writeUInt8(forms.indexOf(form), 32)
      const periods = days === undefined ? 2 : (days * 86_400) / periodSeconds
      body.writeUInt32BE((Math.floor(now() / 1000 / periodSeconds) + periods) * periodSeconds, 33)
      return `${basePath}/f/${Buffer.concat([body, sign(body)]).toString('base64url')}`
    },

    read: (token) => {
      const bytes = Buffer.from(token, 'base64url')
      // Other spellings of the same bytes are no address of ours.
      if (bytes.length !== bodyBytes + macBytes || bytes.toString('base64url') !== token) return undefined
      const body = bytes.subarray(0, bodyBytes)
      if (!timingSafeEqual(sign(body), bytes.subarray(bodyBytes))) return undefined
      if (body.readUInt32BE(33) * 1000 <= now()) return undefined
      const form = forms[body.readUInt8(32)]
      if (!form) return undefined
      return { storageKey: `${toUuid(body.subarray(0, 16))}/${toUuid(body.subarray(16, 32))}`, form }
    },
  }
}

function toUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
