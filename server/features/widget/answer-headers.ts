/** Every page of every website may ask, and read the answer. */
export const openToEveryOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'idempotent-replayed, retry-after, x-request-id',
  'cross-origin-resource-policy': 'cross-origin',
} as const

/** An answer of ours is data: nothing in it may run, frame or be taken for another type. */
export const dataOnly = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const
