import type { Page, Route } from '@playwright/test'

interface Held {
  /** Resolves when the first is held. */
  readonly came: Promise<void>
  /** Lets go what is held, and whatever comes later. */
  release(): void
}

interface HoldOptions {
  /** So many are held, the rest pass. Default: all. */
  times?: number
}

/** Holds requests back: the server does not hear of them before they are released. */
export function holdRequests(page: Page, url: string, options?: HoldOptions): Promise<Held> {
  return hold(page, url, options, async (route) => () => route.continue())
}

/** Holds answers back: the server has given them, and the page does not get them before they are released. */
export function holdAnswers(page: Page, url: string, options?: HoldOptions): Promise<Held> {
  return hold(page, url, options, async (route) => {
    const response = await route.fetch()
    return () => route.fulfill({ response })
  })
}

async function hold(
  page: Page,
  url: string,
  options: HoldOptions | undefined,
  begin: (route: Route) => Promise<() => Promise<void>>,
): Promise<Held> {
  const came = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const handle = async (route: Route) => {
    const end = await begin(route)
    came.resolve()
    await released.promise
    await end()
  }
  await page.route(url, handle, options)
  return { came: came.promise, release: released.resolve }
}
