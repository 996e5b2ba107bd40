import ProjectsScreen from '#web/features/projects/projects-screen.tsx'

export function meta() {
  return [{ title: 'Projects · Earshot' }]
}

export default ProjectsScreen
