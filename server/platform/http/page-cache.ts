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
 * Pages that were rendered once for everyone: one for each route of the web app, whatever the address's parameters and
 * query are.
 */
export interface PageCache {
  /**
   * @param acceptedEncodings the header `Accept-Encoding`
   * @returns undefined where there is no such page, or it could not be rendered without an error or a redirect.
   */
  find(pathname: string, nonces: Nonces, acceptedEncodings: string | undefined): Promise<RenderedPage | undefined>
}

interface CachedPage extends Pick<RenderedPage, 'status' | 'headers'> {
  readonly plain: Fillable
  /** Compressed when the page is first asked for. */
  readonly packed: Partial<Record<ContentEncoding, WritePacked>>
}

const maxKnownPaths = 1_000

/**
 * Caches the pages of a build, for as long as the process lives: build and public settings are those it has started with.
 *
 * A page is rendered for the pattern of its route (`/conversation/:token`) and nothing of a request, so that it cannot
 * contain anything of the person who asked first. Who is signed in is known only to the browser.
 */
export function createPageCache(build: ServerBuild, render: RenderPage): PageCache {
  const routes = nestRoutes(build)
  // Never sent: each answer has nonces of its own in their place, of the same length.
  const marks: Nonces = { script: createNonce(), style: createNonce() }
  const pages = new Map<string, Promise<CachedPage | undefined>>()
  const patterns = new Map<string, string | undefined>()

  /** The pattern of a path's route. Looking through all routes takes longer than all else here. */
  function findPattern(pathname: string): string | undefined {
    if (patterns.has(pathname)) return patterns.get(pathname)
    const matches = matchRoutes(routes, pathname)
    const pattern = matches && `/${matches.flatMap(({ route }) => route.path || []).join('/')}`
    if (patterns.size >= maxKnownPaths) patterns.clear()
    patterns.set(pathname, pattern ?? undefined)
    return pattern ?? undefined
  }

  async function renderOnce(pattern: string): Promise<CachedPage | undefined> {
    const page = await render(pattern, marks)
    if (page.status !== 200 && page.status !== 404) return undefined
    const { status, body } = page
    const plain = { bytes: body, scriptAt: findAll(body, marks.script), styleAt: findAll(body, marks.style) }
    return { status, headers: [...page.headers, ['vary', 'accept-encoding']], plain, packed: await packPage(plain) }
  }

  function findPage(pattern: string): Promise<CachedPage | undefined> {
    const known = pages.get(pattern)
    if (known) return known
    const page = renderOnce(pattern)
    pages.set(pattern, page)
    const forget = () => pages.delete(pattern)
    page.then((rendered) => rendered ?? forget(), forget)
    return page
  }

  return {
    find: async (pathname, nonces, acceptedEncodings) => {
      const pattern = findPattern(pathname)
      const page = pattern === undefined ? undefined : await findPage(pattern)
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
