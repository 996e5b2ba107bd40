import { queryOptions } from '@tanstack/react-query'
import { getConversation } from '#contract/visitor-conversation.ts'
import { call } from '#web/lib/api.ts'

/** While somebody has the page before them, a reply is there within so long. */
const pollMs = 20_000

export function conversationQuery(token: string) {
  return queryOptions({
    queryKey: ['conversation', token],
    queryFn: ({ signal }) => call(getConversation, { params: { token }, signal }),
    refetchInterval: pollMs,
    refetchOnWindowFocus: 'always',
    networkMode: 'always',
  })
}
