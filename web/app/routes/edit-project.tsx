import EditProjectScreen from '#web/features/projects/edit-project-screen.tsx'

export default EditProjectScreen
