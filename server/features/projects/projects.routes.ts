import type { FastifyInstance } from 'fastify'
import {
  createProject,
  deleteProject,
  getProject,
  getProjectContents,
  listProjects,
  updateProject,
} from '#contract/projects.ts'
import { apiGetProject } from '#contract/public-api.ts'
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

  addRoute(app, apiGetProject, async ({ caller }) =>
    answer(200, await projects.get(caller.actor, caller.organizationId, caller.projectId)),
  )

  addRoute(app, updateProject, async ({ params, body, caller }) =>
    answer(200, await projects.update(caller.actor, params.organizationId, params.projectId, body)),
  )

  addRoute(app, getProjectContents, async ({ params, query, caller }) =>
    answer(200, await projects.count(caller.actor, params.organizationId, params.projectId, query.olderThanDays)),
  )

  addRoute(app, deleteProject, async ({ params, body, caller }) => {
    await projects.remove(caller.actor, params.organizationId, params.projectId, body.name)
    return answer(204, null)
  })
}
