import { queryOptions } from '@tanstack/react-query'
import { getConversation } from '#contract/visitor-conversation.ts'
import { call } from '#web/lib/api.ts'
import { toPollMs } from './poll-interval.ts'

/** @param readQuietMs how long nothing has happened in the conversation and on its page. */
export function conversationQuery(token: string, readQuietMs: () => number = () => 0) {
  return queryOptions({
    queryKey: ['conversation', token],
    queryFn: ({ signal }) => call(getConversation, { params: { token }, signal }),
    // Not while the page is hidden: it is read again when it is shown.
    refetchInterval: ({ state }) => toPollMs(readQuietMs(), state.error !== null),
    refetchOnWindowFocus: 'always',
    networkMode: 'always',
  })
}
