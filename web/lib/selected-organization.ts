import { selectOrganization } from '#contract/own-organizations.ts'
import { call } from './api.ts'
import { withBasePath, withoutBasePath } from './base-path.ts'
import { isImpersonated, readStored, removeStored, storageKeys, writeStored } from './storage.ts'

/*
 * A tab keeps its organisation, also over a reload: what someone writes in one tab is not taken away by a switch in
 * another. New tabs begin with the organisation that was opened last on this device.
 */

const key = storageKeys.selectedOrganizationId
/** The note for other devices is waited for this long. */
const longestNoteMs = 1000

/** The id of this tab's organisation, else of the last one on this device. */
export function readSelectedOrganization(): string | null {
  return readStored(key, 'session') ?? readStored(key)
}

export function keepSelectedOrganization(id: string): void {
  writeStored(key, id, 'session')
  // The superadmin's own tabs keep theirs.
  if (!isImpersonated()) writeStored(key, id)
}

export function forgetSelectedOrganization(): void {
  removeStored(key, 'session')
  if (!isImpersonated()) removeStored(key)
}

/**
 * Shows another organisation. The page is loaded again, so that nothing of the former one stays: no answers, live
 * events, open items or filters.
 *
 * @param to an address of the app; default: the screen in view, without what belongs to the former organisation.
 */
export async function switchOrganization(
  id: string,
  to = toSharedPath(withoutBasePath(window.location.pathname)),
): Promise<void> {
  keepSelectedOrganization(id)
  // Where it fails, another device opens the former one.
  const noted = call(selectOrganization, { params: { organizationId: id } }).catch(() => undefined)
  await Promise.race([noted, new Promise((resolve) => setTimeout(resolve, longestNoteMs))])
  const { pathname, search } = window.location
  if (to === withoutBasePath(pathname) + search) window.location.reload()
  else window.location.assign(withBasePath(to))
}

/** The screen of an address that every organisation has: of a project, the list of projects. */
export function toSharedPath(pathname: string): string {
  const [, list] = /^(\/dashboard\/(?:projects|visitors))\//.exec(pathname) ?? []
  if (list !== undefined) return list
  return pathname.startsWith('/dashboard') ? pathname : '/dashboard'
}
