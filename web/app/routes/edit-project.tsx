import EditProjectScreen from '#web/features/projects/edit-project-screen.tsx'

export function meta() {
  return [{ title: 'Edit project · Earshot' }]
}

export default EditProjectScreen
