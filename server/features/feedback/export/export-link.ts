import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a signed address names: a file, and whom it was given to. */
export interface ExportLink {
  readonly organizationId: string
  readonly exportId: string
  readonly userId: string
}

const bodyBytes = 16 + 16 + 16 + 4
const macBytes = 16
// Lists are read again and again, and a large file takes its time to arrive in parts.
const lifeSeconds = 3600

/** Makes and reads addresses of exports: a browser saves a file by its address, and can send no token along. */
export interface ExportLinks {
  /** Path on this server, base path included. */
  make(link: ExportLink): string
  /** Undefined for whatever was not made here, was changed or has ended. */
  read(token: string): ExportLink | undefined
}

/**
 * A token is organisation, export, user and end (seconds since 1970), followed by 128 bits of their HMAC-SHA-256, in
 * base64url. It opens nothing by itself: whom it was given to must still be allowed to see the export.
 */
export function createExportLinks(key: Buffer, basePath = '', now: () => number = Date.now): ExportLinks {
  const sign = (body: Buffer) => createHmac('sha256', key).update(body).digest().subarray(0, macBytes)
  return {
    make: ({ organizationId, exportId, userId }) => {
      const body = Buffer.alloc(bodyBytes)
      body.write(`${organizationId}${exportId}${userId}`.replaceAll('-', ''), 'hex')
      body.writeUInt32BE(Math.floor(now() / 1000) + lifeSeconds, 48)
      return `${basePath}/x/${Buffer.concat([body, sign(body)]).toString('base64url')}`
    },

    read: (token) => {
      const bytes = Buffer.from(token, 'base64url')
      // Other spellings of the same bytes are no address of ours.
      if (bytes.length !== bodyBytes + macBytes || bytes.toString('base64url') !== token) return undefined
      const body = bytes.subarray(0, bodyBytes)
      if (!timingSafeEqual(sign(body), bytes.subarray(bodyBytes))) return undefined
      if (body.readUInt32BE(48) * 1000 <= now()) return undefined
      return {
        organizationId: toUuid(body.subarray(0, 16)),
        exportId: toUuid(body.subarray(16, 32)),
        userId: toUuid(body.subarray(32, 48)),
      }
    },
  }
}

function toUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
