import type { FastifyInstance } from 'fastify'
import { createPlan, exportPlans, listAllPlans, listPlans, updatePlan } from '#contract/plans.ts'
import { addDownload } from '#server/platform/events/csv-download.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Plans } from './plans.service.ts'

export function plansRoutes(app: FastifyInstance, plans: Plans): void {
  addRoute(app, listPlans, async () =>
    answer(200, { items: await plans.listOffers() }, { 'cache-control': 'public, max-age=60' }),
  )
  addRoute(app, listAllPlans, async () => answer(200, { items: await plans.listAll() }))
  addDownload(app, exportPlans, () => plans.export())
  addRoute(app, createPlan, async ({ body }) => answer(201, await plans.create(body)))
  addRoute(app, updatePlan, async ({ params, body }) => answer(200, await plans.update(params.planId, body)))
}
