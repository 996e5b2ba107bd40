import { getConfig } from '#contract/config.ts'
import { listOwnOrganizations } from '#contract/own-organizations.ts'
import { listProjects } from '#contract/projects.ts'
import { showProjectKeys } from '../../../features/docs/in-page/project-keys.ts'
import { call } from '../../../lib/api.ts'
import { setBackend } from '../../../lib/auth-client.ts'
import { readSelectedOrganization } from '../../../lib/selected-organization.ts'

/**
 * Shows the signed-in reader's keys in the code of a guide: those of the organisation that they opened last.
 *
 * @throws ApiError, for example where the session has ended.
 */
export async function showOwnKeys(page: HTMLElement): Promise<void> {
  const { supabaseUrl, supabaseAnonKey } = await call(getConfig, {})
  if (supabaseUrl === null || supabaseAnonKey === null) return
  setBackend({ url: supabaseUrl, anonKey: supabaseAnonKey })
  const organizationId = readSelectedOrganization() ?? (await call(listOwnOrganizations, {})).items[0]?.id
  if (organizationId === undefined) return
  const { items } = await call(listProjects, { params: { organizationId } })
  showProjectKeys(
    page,
    items.filter(({ archivedAt }) => archivedAt === null),
  )
}
