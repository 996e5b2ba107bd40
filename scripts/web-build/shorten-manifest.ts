import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Files that come with a module. */
interface Files {
  imports?: string[]
  css?: string[]
}

interface Manifest {
  entry: Files
  routes: Record<string, Files & { parentId?: string }>
}

const start = 'window.__reactRouterManifest='
const publicLayout = 'app/site/site-layout'

/**
 * Shortens the list of addresses that each page of the app loads: takes public pages out, which the server answers without
 * the app (see `web/app/routes/not-found.tsx`), files that the app's entry or a parent of the route loads anyway, and what a
 * route has not, which is written as `false`.
 *
 * @throws Error when the list is not as it was when this was written.
 */
export async function shortenManifest(clientFolder: string): Promise<void> {
  const assets = join(clientFolder, 'assets')
  const [name, ...others] = (await readdir(assets)).filter((each) => /^manifest-[\w-]+\.js$/.test(each))
  if (!name || others.length > 0) throw new Error('The build has not one list of addresses.')
  const file = join(assets, name)
  const code = await readFile(file, 'utf8')
  if (!code.startsWith(start)) throw new Error(`${name} does not begin with ${start}`)
  // React Router's own; what is read of it is checked below.
  const manifest = JSON.parse(code.slice(start.length).replace(/;\s*$/, '')) as Manifest
  if (!(publicLayout in manifest.routes)) throw new Error(`${name} has no route ${publicLayout}`)
  const isKept = (id: string): boolean => {
    const parentId = manifest.routes[id]?.parentId
    return id !== publicLayout && (parentId === undefined || isKept(parentId))
  }
  manifest.routes = Object.fromEntries(Object.entries(manifest.routes).filter(([id]) => isKept(id)))
  manifest.routes = Object.fromEntries(
    Object.entries(manifest.routes).map(([id, route]) => [
      id,
      withoutLoaded(route, listLoaded(manifest, route.parentId)),
    ]),
  )
  const isSaid = (_key: string, value: unknown) => (value === false ? undefined : value)
  await writeFile(file, `${start}${JSON.stringify(manifest, isSaid)};`)
}

/** The files of the entry, a route and all its parents. */
function listLoaded({ entry, routes }: Manifest, id: string | undefined): Set<string> {
  const loaded = new Set([...(entry.imports ?? []), ...(entry.css ?? [])])
  for (let route = routes[id ?? '']; route; route = routes[route.parentId ?? '']) {
    for (const file of [...(route.imports ?? []), ...(route.css ?? [])]) loaded.add(file)
  }
  return loaded
}

function withoutLoaded<R extends Files>(route: R, loaded: ReadonlySet<string>): R {
  const isNew = (file: string) => !loaded.has(file)
  return { ...route, imports: route.imports?.filter(isNew), css: route.css?.filter(isNew) }
}
