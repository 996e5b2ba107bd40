import { createTokenSigner, toUuidBytes, toUuidText, uuidBytes } from '#server/platform/secret/signed-token.ts'

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

/** Signs tokens of both ids. @param key 32 bytes for this purpose alone. */
export function createConversationLinks(key: Buffer): ConversationLinks {
  const signer = createTokenSigner(key, 2 * uuidBytes)
  return {
    writeToken: ({ organizationId, feedbackId }) =>
      signer.write(Buffer.concat([toUuidBytes(organizationId), toUuidBytes(feedbackId)])),
    readToken: (token) => {
      const ids = signer.read(token)
      return (
        ids && {
          organizationId: toUuidText(ids.subarray(0, uuidBytes)),
          feedbackId: toUuidText(ids.subarray(uuidBytes)),
        }
      )
    },
  }
}
