import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createProjectJobs, type ProjectNeeds } from './projects.jobs.ts'
import { projectsRoutes } from './projects.routes.ts'
import { createProjects, type Projects } from './projects.service.ts'

export interface ProjectsFeature extends Feature {
  readonly projects: Projects
}

export function createProjectsFeature({ database }: Platform, needs: ProjectNeeds): ProjectsFeature {
  const projects = createProjects(database)
  return {
    name: 'projects',
    projects,
    routes: (app) => projectsRoutes(app, projects),
    jobs: () => createProjectJobs(database, needs),
  }
}
