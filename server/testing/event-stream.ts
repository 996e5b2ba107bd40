import type { TestServer } from './server.ts'

/** Notices of an organisation as one member's browser hears them. */
export interface EventStream {
  /** The next notice; undefined when the stream has ended. */
  next(): Promise<unknown>
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
  const next = async (): Promise<unknown> => {
    for (;;) {
      const found = /data: (.*)\n\n/.exec(text)
      if (found?.[1] !== undefined) {
        text = text.slice(found.index + found[0].length)
        return JSON.parse(found[1]) as unknown
      }
      const part = await parts?.read()
      if (!part || part.done) return undefined
      text += part.value
    }
  }
  await parts?.read()
  return { next, stop: () => ending.abort() }
}
