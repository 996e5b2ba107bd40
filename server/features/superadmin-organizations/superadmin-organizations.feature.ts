import * as contract from '#contract/superadmin-organizations.ts'
import { downloadOptions, recordDownload } from '#server/platform/events/record-download.ts'
import type { Feature } from '#server/platform/feature.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createInstanceOrganizations } from './organizations.service.ts'

/** The organisations of the instance, for those who run it. They delete and restore them as owners do. */
export function createSuperadminOrganizationsFeature({ database }: Platform): Feature {
  const organizations = createInstanceOrganizations(database)
  return {
    name: 'superadmin-organizations',
    routes: (app) => {
      addRoute(app, contract.listInstanceOrganizations, async ({ query }) =>
        answer(200, await organizations.list(query)),
      )
      addRoute(app, contract.getInstanceOrganization, async ({ params }) =>
        answer(200, await organizations.get(params.organizationId)),
      )
      addRoute(
        app,
        contract.exportInstanceOrganizations,
        async ({ body }) => {
          await recordDownload(database, 'Organisations', body)
          // A stream is sent as it is; the contract can only call it text.
          return answer(200, organizations.export(body) as unknown as string, {
            'content-type': 'text/csv; charset=utf-8',
            'content-disposition': `attachment; filename="organizations-${new Date().toISOString().slice(0, 10)}.csv"`,
          })
        },
        downloadOptions,
      )
    },
  }
}
