/** Content encodings that the server writes, the denser first. */
const encodings = ['br', 'gzip'] as const
export type ContentEncoding = (typeof encodings)[number]

/**
 * The densest encoding that a client accepts and `isOffered` has (RFC 9110, section 12.5.3); undefined: none.
 *
 * @param accepted the header `Accept-Encoding`. A weight of 0 refuses; other weights do not change our order.
 */
export function chooseEncoding(
  accepted: string | undefined,
  isOffered: (encoding: ContentEncoding) => boolean = () => true,
): ContentEncoding | undefined {
  if (!accepted) return undefined
  const wanted = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((each) => each.trim())
        return [name, !parameters.some((each) => /^q=0(\.0*)?$/.test(each))] as const
      }),
  )
  return encodings.find((each) => (wanted.get(each) ?? wanted.get('*') ?? false) && isOffered(each))
}
