import { type MailList, mailLists } from '#contract/notifications.ts'
import { createTokenSigner, toUuidBytes, toUuidText, uuidBytes } from '#server/platform/secret/signed-token.ts'

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

/** Signs tokens that never end: a mail may be opened years later. @param key 32 bytes for this purpose alone. */
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
