import type { ChangeNotice } from '#contract/feedback.ts'
import type { TestServer } from './server.ts'

/** Notices of an organisation as one member's browser hears them. */
export interface EventStream {
  /** The next notice, without its rows; undefined when the stream has ended. */
  next(): Promise<unknown>
  /** The next notice as it is sent. */
  nextWithItems(): Promise<ChangeNotice | undefined>
  stop(): void
}

/** Follows an organisation's events; resolves once the server has said that it is connected. */
export async function followEvents(server: TestServer, organizationId: string, token: string): Promise<EventStream> {
  const ending = new AbortController()
  const reply = await fetch(`${server.url}/api/v1/organizations/${organizationId}/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: ending.signal,
  })
  const parts = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const nextWithItems = async (): Promise<ChangeNotice | undefined> => {
    for (;;) {
      const found = /data: (.*)\n\n/.exec(text)
      if (found?.[1] !== undefined) {
        text = text.slice(found.index + found[0].length)
        return JSON.parse(found[1]) as ChangeNotice
      }
      const part = await parts?.read()
      if (!part || part.done) return undefined
      text += part.value
    }
  }
  const next = async (): Promise<unknown> => {
    const notice = await nextWithItems()
    if (!notice) return undefined
    const { items: _, ...rest } = notice
    return rest
  }
  await parts?.read()
  return { next, nextWithItems, stop: () => ending.abort() }
}
