import { describe, expect, it } from 'vitest'
import { readPageEvents } from './read-page-events.ts'

const sentAt = 1_700_000_000_000

describe('readPageEvents', () => {
  it('takes apart what the widget writes', () => {
    const events = readPageEvents(
      {
        console: [[sentAt - 5000, 'error', 'boom']],
        network: [[sentAt - 100, 'POST', 'https://a.test/api', 503, 88]],
        routes: [[sentAt - 60_000, '/cart']],
        language: 'de',
      },
      sentAt,
    )
    expect(events).toEqual({
      console: [{ beforeMs: 5000, level: 'error', text: 'boom' }],
      network: [{ beforeMs: 100, method: 'POST', url: 'https://a.test/api', status: 503, durationMs: 88 }],
      routes: [{ beforeMs: 60_000, url: '/cart' }],
      rest: { language: 'de' },
    })
  })

  it('leaves what has another form among the rest', () => {
    const context = { console: [['soon', 'error', 'x']], network: 'none', routes: [[1]], extra: [1, 2] }
    expect(readPageEvents(context, sentAt)).toEqual({ console: [], network: [], routes: [], rest: context })
  })

  it('takes a clock that runs ahead for now', () => {
    expect(readPageEvents({ routes: [[sentAt + 9000, '/']] }, sentAt).routes).toEqual([{ beforeMs: 0, url: '/' }])
  })

  it('shows the newest of too many', () => {
    const routes = Array.from({ length: 1000 }, (_, index) => [sentAt - 1000 + index, `/${index}`])
    const events = readPageEvents({ routes }, sentAt)
    expect(events.routes).toHaveLength(200)
    expect(events.routes.at(-1)?.url).toBe('/999')
  })
})
