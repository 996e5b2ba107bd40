import { createTokenSigner, toUuidBytes, toUuidText, uuidBytes } from '#server/platform/secret/signed-token.ts'

/** The item of a conversation. */
export interface ConversationOf {
  readonly organizationId: string
  readonly feedbackId: string
}

/** Addresses of conversations: an address alone, without an account, allows reading and answering. */
export interface ConversationLinks {
  /** 64 characters that identify the item and can't be guessed. The same on every call. */
  writeToken(of: ConversationOf): string
  /** The token's item; undefined for a forged token. The item may have been deleted. */
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
