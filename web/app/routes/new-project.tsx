import NewProjectScreen from '#web/features/projects/new-project-screen.tsx'
import { RoleGuard } from '../route-guard.tsx'

export function meta() {
  return [{ title: 'New project · Earshot' }]
}

export default function NewProject() {
  return (
    <RoleGuard required="owner">
      <NewProjectScreen />
    </RoleGuard>
  )
}
