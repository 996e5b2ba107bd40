import ProjectScreen from '#web/features/projects/project-screen.tsx'

export function meta() {
  return [{ title: 'Project · Earshot' }]
}

export default ProjectScreen
