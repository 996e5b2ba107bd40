import { basename } from 'node:path'
import type { Rolldown } from 'vite'

/**
 * The routes of each area. People rarely go from one area to another, except from the frame, which is around every screen
 * of the dashboard, to the screens in it.
 */
const areaRoutes: Record<string, readonly string[]> = {
  // Public pages load none of it: they are not run in the browser.
  landing: ['not-found'],
  conversation: ['conversation'],
  'sign-in': [
    ...['session-layout', 'login', 'register', 'forgot-password', 'reset-password', 'auth-callback'],
    ...['accept-invitation', 'unsubscribe'],
  ],
  frame: ['session-layout', 'dashboard-layout', 'dashboard-content'],
  home: ['dashboard'],
  inbox: ['feedback'],
  numbers: ['analytics', 'project', 'project-analytics'],
  // Their forms and logs are large, and no other screen needs them.
  integrations: ['integrations', 'integration', 'connect-integration', 'edit-integration'],
  // Plans and their payment, which few look at.
  billing: ['plan-selection', 'trial-expired', 'billing-settings'],
  // Guides, with the look of their text.
  docs: ['guide', 'documentation'],
  // Few people ever load them.
  superadmin: ['superadmin'],
  screens: [],
}
const areas = Object.keys(areaRoutes)
/** Areas whose screens are shown in the frame: it has loaded what it shares with them. */
const framed = ['home', 'inbox', 'numbers', 'integrations', 'docs', 'superadmin', 'screens']

/**
 * What several routes import stands in one file per set of areas that need it, not in one file per module: the inbox
 * asked for 113 files, most of them smaller than the request for them. No area loads what only another one needs.
 */
export const sharedModules = areas.flatMap((_, index) => {
  const count = areas.length - index
  // Its own file comes last: before that of the other screens, it would take the modules that both need along.
  return count > 1 ? [shareBy(count)] : [shareBy(1, false), shareBy(1, true)]
})

/** @param isOwn of the modules of one area: those that integrations alone need, or all others. Default: both. */
function shareBy(count: number, isOwn?: boolean) {
  return {
    debugName: `shared by ${count}`,
    name: (moduleId: string, modules: Rolldown.ChunkingContext) => {
      const users = joinSmall(findAreas(moduleId, modules))
      if (users.size !== count) return null
      // A file of both routes for guides would take along what the inbox shows at once.
      if (count === 1 && users.has('docs')) return null
      if (count === 1 && users.has('screens') && isOfOneScreenAndLateCode(moduleId, modules)) return null
      if (isOwn !== undefined && isOwn !== isOfIntegrations(moduleId, modules)) return null
      // Every file that imports another one has its name in it. The longest are those of most areas.
      if (users.has('landing')) return 'shared-all'
      if (users.has('conversation') && users.has('frame')) return 'shared-session'
      const named = areas.filter((area) => users.has(area) && !(users.has('frame') && framed.includes(area)))
      return users.has('integrations') && isOwn === false ? 'shared-screens' : `shared-${named.join('-')}`
    },
    // React, which only the entry imports, is better compressed together with what every page needs.
    minShareCount: count === areas.length ? 1 : 2,
    // A file takes the imports of its modules along: those that more areas need have to be in a file already.
    priority: isOwn ? 0 : count,
  }
}

/** Whether integrations alone need a module. Code that other areas load late must not wait for their file. */
function isOfIntegrations(moduleId: string, modules: Rolldown.ChunkingContext): boolean {
  return [...findAreas(moduleId, modules, true)].every((area) => area === 'integrations')
}

/**
 * The areas whose routes import a module, directly or through others.
 *
 * @param isLate whether code counts that is loaded late.
 */
function findAreas(moduleId: string, modules: Rolldown.ChunkingContext, isLate = false): Set<string> {
  const users = new Set<string>()
  const seen = new Set([moduleId])
  for (const id of seen) {
    const info = modules.getModuleInfo(id)
    if (info?.isEntry) for (const area of areasOf(id)) users.add(area)
    for (const importer of info?.importers ?? []) seen.add(importer)
    if (isLate) for (const importer of info?.dynamicImporters ?? []) seen.add(importer)
  }
  return users
}

/**
 * Whether one route shares a module with code alone that is loaded late and by few: superadmins' screens, or the screen of a
 * suspended organisation. No other screen waits for it.
 */
function isOfOneScreenAndLateCode(moduleId: string, modules: Rolldown.ChunkingContext): boolean {
  const seen = new Set([moduleId])
  for (const id of seen) for (const importer of modules.getModuleInfo(id)?.importers ?? []) seen.add(importer)
  const routes = [...seen].filter((id) => modules.getModuleInfo(id)?.isEntry)
  const areasOfAll = findAreas(moduleId, modules, true)
  const isLate = areasOfAll.size === 2 && areasOfAll.has('superadmin')
  return routes.length === 1 && (isLate || [...seen].some((id) => id.endsWith('/app/suspended-tools.tsx')))
}

/** Few modules are shared by areas that have little to do with each other: they do not get a file for each set of areas. */
function joinSmall(users: Set<string>): Set<string> {
  // Superadmins and readers load the files of the areas that their screens share code with: no one else loads theirs.
  for (const area of ['superadmin', 'docs']) if (users.size > 1) users.delete(area)
  // What integrations or billing share with another area stands where the other screens find it.
  for (const area of ['integrations', 'billing']) if (users.size > 1 && users.delete(area)) users.add('screens')
  const shown = framed.filter((area) => users.has(area))
  const isElsewhere = users.size > shown.length
  // Forms are shared by sign-in and settings, and are too large for who reads the inbox.
  if (isElsewhere && (users.has('home') || users.has('inbox'))) users.add('frame')
  // What the inbox shares with other screens: nearly every screen needs it.
  if (users.has('inbox') && shown.length > 1) users.add('frame')
  // The session and the calls of the API: an answer to a visitor needs half of it.
  const isSession = users.has('frame') && !users.has('landing') && (users.has('sign-in') || users.has('conversation'))
  if (isSession) for (const area of ['sign-in', 'conversation']) users.add(area)
  // Small ones, like the button: with what every area needs.
  const isPublic = users.has('landing') || users.has('conversation')
  if (isPublic && !isSession && users.size > 1) for (const area of areas) users.add(area)
  if (users.has('frame')) for (const area of framed) users.add(area)
  // Figures and charts.
  else if (users.has('home')) for (const area of ['numbers', 'screens']) users.add(area)
  return users
}

function areasOf(entryId: string): readonly string[] {
  const name = basename(entryId.replace(/\?.*$/, '')).replace(/\.\w+$/, '')
  if (['root', 'entry.client'].includes(name)) return areas
  const own = areas.filter((area) => areaRoutes[area]?.includes(name))
  return own.length > 0 ? own : ['screens']
}
