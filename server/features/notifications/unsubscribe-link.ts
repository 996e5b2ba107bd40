import { type MailList, mailLists } from '#contract/notifications.ts'
import { createTokenSigner, toUuidBytes, toUuidText, uuidBytes } from '#server/platform/secret/signed-token.ts'

/** A member and a kind of email. */
export interface SubscriptionOf {
  readonly organizationId: string
  readonly userId: string
  readonly list: MailList
}

/** Addresses in emails that unsubscribe without signing in, and do nothing else. */
export interface UnsubscribeLinks {
  writeToken(of: SubscriptionOf): string
  /** The token's subscription; undefined for a forged token. */
  readToken(token: string): SubscriptionOf | undefined
}

/** Signs tokens that never expire: an email may be opened years later. @param key 32 bytes for this purpose alone. */
export function createUnsubscribeLinks(key: Buffer): UnsubscribeLinks {
  const signer = createTokenSigner(key, 2 * uuidBytes + 1)
  return {
    writeToken: ({ organizationId, userId, list }) =>
      signer.write(
        Buffer.concat([toUuidBytes(organizationId), toUuidBytes(userId), Buffer.of(mailLists.indexOf(list))]),
      ),
    readToken: (token) => {
      const content = signer.read(token)
      const list = content && mailLists[content[2 * uuidBytes] ?? mailLists.length]
      if (!list) return undefined
      return {
        organizationId: toUuidText(content.subarray(0, uuidBytes)),
        userId: toUuidText(content.subarray(uuidBytes, 2 * uuidBytes)),
        list,
      }
    },
  }
}
