import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createProjectJobs, type ProjectNeeds } from './projects.jobs.ts'
import { projectsRoutes } from './projects.routes.ts'
import { createProjects } from './projects.service.ts'

export function createProjectsFeature({ database }: Platform, needs: ProjectNeeds): Feature {
  return {
    name: 'projects',
    routes: (app) => projectsRoutes(app, createProjects(database)),
    jobs: () => createProjectJobs(database, needs),
  }
}
