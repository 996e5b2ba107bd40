import { queryOptions } from '@tanstack/react-query'
import { getConversation } from '#contract/visitor-conversation.ts'
import { call } from '#web/lib/api.ts'

/** The polling interval while the page is visible: the longest delay of a reply. */
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
