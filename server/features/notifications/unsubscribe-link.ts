import { createHmac, timingSafeEqual } from 'node:crypto'
import { type MailList, mailLists } from '#contract/notifications.ts'

/** Whose mails of which kind. */
export interface SubscriptionOf {
  readonly organizationId: string
  readonly userId: string
  readonly list: MailList
}

/** Addresses in mails that unsubscribe without signing in, and do nothing else. */
export interface UnsubscribeLinks {
  writeToken(of: SubscriptionOf): string
  /** What the token stands for; undefined when it is none of ours. */
  readToken(token: string): SubscriptionOf | undefined
}

const idBytes = 16
const contentBytes = 2 * idBytes + 1
// 128 bits of the HMAC: guessing one takes longer than a mail less would be worth.
const signatureBytes = 16
const shape = /^[A-Za-z0-9_-]{66}$/

/** Signs tokens by HMAC-SHA256 (RFC 2104). They never end: a mail may be opened years later. @param key 32 bytes. */
export function createUnsubscribeLinks(key: Buffer): UnsubscribeLinks {
  const sign = (content: Buffer) => createHmac('sha256', key).update(content).digest().subarray(0, signatureBytes)
  return {
    writeToken: ({ organizationId, userId, list }) => {
      const content = Buffer.concat([toBytes(organizationId), toBytes(userId), Buffer.of(mailLists.indexOf(list))])
      // 49 bytes are not a multiple of three: the last character has bits to spare, so only one way of writing it counts.
      return Buffer.concat([content, sign(content)]).toString('base64url')
    },
    readToken: (token) => {
      if (!shape.test(token)) return undefined
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.toString('base64url') !== token) return undefined
      const content = bytes.subarray(0, contentBytes)
      if (!timingSafeEqual(bytes.subarray(contentBytes), sign(content))) return undefined
      const list = mailLists[content[2 * idBytes] ?? mailLists.length]
      if (!list) return undefined
      return {
        organizationId: toUuid(content.subarray(0, idBytes)),
        userId: toUuid(content.subarray(idBytes, 2 * idBytes)),
        list,
      }
    },
  }
}

function toBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

function toUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
