import type { FastifyInstance } from 'fastify'
import { createProject, getProject, listProjects, updateProject } from '#contract/projects.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Projects } from './projects.service.ts'

export function projectsRoutes(app: FastifyInstance, projects: Projects): void {
  addRoute(app, listProjects, async ({ params, caller }) =>
    answer(200, { items: await projects.list(caller.actor, params.organizationId) }),
  )

  addRoute(app, createProject, async ({ params, body, caller }) =>
    answer(201, await projects.create(caller.actor, params.organizationId, body)),
  )

  addRoute(app, getProject, async ({ params, caller }) =>
    answer(200, await projects.get(caller.actor, params.organizationId, params.projectId)),
  )

  addRoute(app, updateProject, async ({ params, body, caller }) =>
    answer(200, await projects.update(caller.actor, params.organizationId, params.projectId, body)),
  )
}
