import { lazy } from 'react'
import { IdentityForm } from '../../features/auth/account/identity-form.tsx'
import { DeleteOrganization } from '../../features/organizations/delete-organization.tsx'
import { OrganizationScreen } from '../../features/organizations/organization-screen.tsx'

const ExportDialog = lazy(() => import('../../features/feedback/transfer/export-dialog.tsx'))

export function meta() {
  return [{ title: 'Organisation · Earshot' }]
}

export default function OrganizationRoute() {
  return <OrganizationScreen danger={<DeleteOrganization IdentityForm={IdentityForm} ExportDialog={ExportDialog} />} />
}
