import { Outlet } from 'react-router'
import { ProjectFrame } from '../features/projects/project-frame.tsx'

/** What all tabs of a project share. */
export default function ProjectLayout() {
  return (
    <ProjectFrame>
      <Outlet />
    </ProjectFrame>
  )
}
