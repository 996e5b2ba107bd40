import { createHmac, timingSafeEqual } from 'node:crypto'

/** Which item a conversation is about. */
export interface ConversationOf {
  readonly organizationId: string
  readonly feedbackId: string
}

/** Addresses of conversations: whoever holds one may read and answer, without an account. */
export interface ConversationLinks {
  /** 64 characters that stand for the item and can't be guessed. The same every time. */
  writeToken(of: ConversationOf): string
  /** What the token stands for; undefined when it is none of ours. Says nothing about whether the item still exists. */
  readToken(token: string): ConversationOf | undefined
}

const idBytes = 16
// 128 bits of the HMAC: guessing one takes longer than the address would be worth.
const signatureBytes = 16
const shape = /^[A-Za-z0-9_-]{64}$/

/** Signs tokens by HMAC-SHA256 (RFC 2104) of both ids. @param key 32 bytes for this purpose alone. */
export function createConversationLinks(key: Buffer): ConversationLinks {
  const sign = (ids: Buffer) => createHmac('sha256', key).update(ids).digest().subarray(0, signatureBytes)
  return {
    writeToken: ({ organizationId, feedbackId }) => {
      const ids = Buffer.concat([toBytes(organizationId), toBytes(feedbackId)])
      return Buffer.concat([ids, sign(ids)]).toString('base64url')
    },
    readToken: (token) => {
      if (!shape.test(token)) return undefined
      const bytes = Buffer.from(token, 'base64url')
      const ids = bytes.subarray(0, 2 * idBytes)
      if (!timingSafeEqual(bytes.subarray(2 * idBytes), sign(ids))) return undefined
      return { organizationId: toUuid(ids.subarray(0, idBytes)), feedbackId: toUuid(ids.subarray(idBytes)) }
    },
  }
}

function toBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

function toUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
