import type { Submission } from '#contract/widget.ts'

/* What a visitor's browser does, for tests. */

/**
 * What a person would send: nothing about it looks like spam, however often it comes.
 *
 * @param overrides anything, right or wrong.
 */
export function makeSubmission(overrides: Record<string, unknown> = {}): Submission {
  return {
    id: crypto.randomUUID(),
    type: 'bug',
    message: 'It does nothing.',
    page: { url: 'https://shop.example/cart', title: 'Cart' },
    guard: { elapsedMs: 20_000 },
    ...overrides,
  }
}

/** Sends a submission. A text is sent as it is. */
export function submit(
  server: { url: string },
  widgetKey: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${server.url}/e/${widgetKey}/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}
