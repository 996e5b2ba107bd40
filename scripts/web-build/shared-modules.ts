import { basename } from 'node:path'
import type { Rolldown } from 'vite'

/** The routes of each area; every other route is in the dashboard. People rarely go from one area to another. */
const areaRoutes: Record<string, readonly string[]> = {
  landing: ['landing', 'not-found'],
  conversation: ['conversation'],
  'sign-in': [
    ...['session-layout', 'login', 'register', 'forgot-password', 'reset-password', 'auth-callback'],
    ...['accept-invitation', 'unsubscribe', 'trial-expired', 'plan-selection'],
  ],
  dashboard: [],
}
const areas = Object.keys(areaRoutes)

/**
 * What several routes import stands in one file per set of areas that need it, not in one file per module: the inbox
 * asked for 113 files, most of them smaller than the request for them. No area loads what only another one needs.
 */
export const sharedModules = areas
  .map((_, index) => areas.length - index)
  .map((count) => ({
    debugName: `shared by ${count}`,
    name: (moduleId: string, modules: Rolldown.ChunkingContext) => {
      const users = findAreas(moduleId, modules)
      return users.size === count ? `shared-${areas.filter((area) => users.has(area)).join('-')}` : null
    },
    minShareCount: 2,
    // A file takes the imports of its modules along: those that more areas need have to be in a file already.
    priority: count,
  }))

/** The areas whose routes import a module, directly or through others. */
function findAreas(moduleId: string, modules: Rolldown.ChunkingContext): Set<string> {
  const users = new Set<string>()
  const seen = new Set([moduleId])
  for (const id of seen) {
    const info = modules.getModuleInfo(id)
    if (info?.isEntry) for (const area of areasOf(id)) users.add(area)
    for (const importer of info?.importers ?? []) seen.add(importer)
  }
  return users
}

function areasOf(entryId: string): readonly string[] {
  const name = basename(entryId.replace(/\?.*$/, '')).replace(/\.\w+$/, '')
  if (['root', 'entry.client'].includes(name)) return areas
  return [areas.find((area) => areaRoutes[area]?.includes(name)) ?? 'dashboard']
}
