import { matchRoutes, type ServerBuild } from 'react-router'
import { type ContentEncoding, chooseEncoding } from './choose-encoding.ts'
import { createNonce, type Fillable, fillNonces, type Nonces } from './nonces.ts'
import { packPage, type WritePacked } from './pack-page.ts'

/** A page as it is answered. */
export interface RenderedPage {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
}

/** Renders the page of a path. */
export type RenderPage = (path: string, nonces: Nonces) => Promise<RenderedPage>

/**
 * Pages that were rendered once for everyone. Of the app itself there is one for each route, whatever the address's
 * parameters are; of public pages, whose content depends on them, one for each path. Neither depends on the query.
 */
export interface PageCache {
  /** @returns undefined where there is no such page, or it could not be rendered without an error or a redirect. */
  find(pathname: string, asked: AskedPage): Promise<RenderedPage | undefined>
}

interface AskedPage {
  readonly nonces: Nonces
  /** The header `Accept-Encoding`. */
  readonly acceptedEncodings: string | undefined
  /** Called before a public page is rendered for this request; an error that it throws is the answer. */
  readonly onRender: () => void
}

interface CachedPage extends Pick<RenderedPage, 'status' | 'headers'> {
  readonly plain: Fillable
  /** Compressed when the page is first asked for. */
  readonly packed: Partial<Record<ContentEncoding, WritePacked>>
  /** Since when it is rendered again, in milliseconds since 1970. */
  staleAt: number
  /** Since when it is answered only if it can’t be rendered. */
  readonly oldAt: number
}

interface PageSource {
  /** A path, or the pattern of a route. */
  readonly path: string
  readonly isPublic: boolean
}

const maxKnownPaths = 1_000
/** Public pages show plans, posts and guides: they are rendered again, after an answer, when they are older. */
const publicAgeMs = 30_000
/** Older than this, a public page is rendered before it is answered: what was withdrawn is gone within a minute. */
const publicMaxAgeMs = 60_000
const maxPages = 1_000

/** What a route's module says of its page. */
interface PageHandle {
  readonly isPublic?: boolean
}

/**
 * Caches the pages of a build. Those of the app are kept for as long as the process lives: build and public settings are
 * those it has started with.
 *
 * A page is rendered for the pattern of its route (`/conversation/:token`) or, where it is public, for its path, and
 * nothing else of a request, so that it cannot contain anything of the person who asked first. Who is signed in is known
 * only to the browser.
 */
export function createPageCache(build: ServerBuild, render: RenderPage): PageCache {
  const findSource = createSourceFinder(build)
  // Never sent: each answer has nonces of its own in their place, of the same length.
  const marks: Nonces = { script: createNonce(), style: createNonce() }
  const pages = new Map<string, CachedPage>()
  const rendering = new Map<string, Promise<CachedPage | undefined>>()

  async function renderOnce({ path, isPublic }: PageSource): Promise<CachedPage | undefined> {
    const page = await render(path, marks)
    if (page.status >= 500) throw new Error(`The page ${path} answered ${page.status}`)
    // Of addresses that have no public page there is no end.
    if (page.status !== 200 && (isPublic || page.status !== 404)) return undefined
    const { status, body } = page
    const plain = { bytes: body, scriptAt: findAll(body, marks.script), styleAt: findAll(body, marks.style) }
    const now = isPublic ? Date.now() : Number.POSITIVE_INFINITY
    return {
      status,
      headers: [...page.headers, ['vary', 'accept-encoding']],
      plain,
      packed: await packPage(plain),
      staleAt: now + publicAgeMs,
      oldAt: now + publicMaxAgeMs,
    }
  }

  /** Renders a page, once at a time, and keeps it. A page that is gone is kept no longer. */
  function renew(source: PageSource): Promise<CachedPage | undefined> {
    const { path } = source
    const known = rendering.get(path)
    if (known) return known
    const page = renderOnce(source).then((rendered) => {
      pages.delete(path)
      if (rendered) pages.set(path, rendered)
      const [oldest] = pages.keys()
      if (pages.size > maxPages && oldest !== undefined) pages.delete(oldest)
      return rendered
    })
    rendering.set(path, page)
    const end = () => rendering.delete(path)
    page.then(end, end)
    return page
  }

  async function findPage(source: PageSource, onRender: () => void): Promise<CachedPage | undefined> {
    const known = pages.get(source.path)
    if (!known) {
      if (source.isPublic) onRender()
      // The error's page is rendered for its request.
      return renew(source).catch(() => undefined)
    }
    const now = Date.now()
    if (known.oldAt <= now) return renew(source).catch(() => known)
    if (known.staleAt > now) return known
    // Once for each age, also when it fails: what is there is answered meanwhile, and until it succeeds.
    known.staleAt = now + publicAgeMs
    renew(source).catch(() => {})
    return known
  }

  return {
    find: async (pathname, { nonces, acceptedEncodings, onRender }) => {
      const source = findSource(pathname)
      const page = source && (await findPage(source, onRender))
      if (!page) return undefined
      const { status, headers, packed } = page
      const body = fillNonces(page.plain, nonces)
      const encoding = chooseEncoding(acceptedEncodings, (each) => packed[each] !== undefined)
      const write = encoding && packed[encoding]
      if (!write) return { status, headers, body }
      return { status, headers: [...headers, ['content-encoding', encoding]], body: write(nonces, body) }
    },
  }
}

/** Finds what a path's page is rendered for. */
function createSourceFinder(build: ServerBuild): (pathname: string) => PageSource | undefined {
  const routes = nestRoutes(build)
  // Looking through all routes takes longer than all else here.
  const known = new Map<string, PageSource | undefined>()
  return (pathname) => {
    if (known.has(pathname)) return known.get(pathname)
    const matches = matchRoutes(routes, pathname)
    const source = matches ? describeSource(build, pathname, matches) : undefined
    if (known.size >= maxKnownPaths) known.clear()
    known.set(pathname, source)
    return source
  }
}

type RouteMatches = NonNullable<ReturnType<typeof matchRoutes>>

function describeSource(build: ServerBuild, pathname: string, matches: RouteMatches): PageSource {
  const isPublic = matches.some(({ route }) => readHandle(build, route.id).isPublic)
  return { path: isPublic ? pathname : `/${matches.flatMap(({ route }) => route.path || []).join('/')}`, isPublic }
}

function readHandle(build: ServerBuild, id: string | undefined): PageHandle {
  // React Router leaves a handle's type to the app.
  return ((id !== undefined && build.routes[id]?.module.handle) || {}) as PageHandle
}

interface NestedRoute {
  readonly id: string
  readonly path?: string
  readonly index?: boolean
  readonly children?: NestedRoute[]
}

/** The build's list of routes as the tree that they are matched in. */
function nestRoutes(build: ServerBuild): Parameters<typeof matchRoutes>[0] {
  const all = Object.values(build.routes).filter((route) => route !== undefined)
  const nest = (parentId: string | undefined): NestedRoute[] =>
    all
      .filter((route) => route.parentId === parentId)
      .map(({ id, path, index }) => {
        const children = nest(id)
        return {
          id,
          ...(path !== undefined && { path }),
          ...(index && { index }),
          ...(children.length > 0 && { children }),
        }
      })
  // React Router has a type each for routes with an index and with children; which one a route is, only the build knows.
  return nest(undefined) as Parameters<typeof matchRoutes>[0]
}

function findAll(body: Buffer, mark: string): number[] {
  const found: number[] = []
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) found.push(at)
  return found
}
