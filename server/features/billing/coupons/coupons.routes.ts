import type { FastifyInstance } from 'fastify'
import { createCoupon, deactivateCoupon, exportCoupons, listCoupons } from '#contract/coupons.ts'
import { addDownload } from '#server/platform/events/csv-download.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Coupons } from './coupons.service.ts'

export function couponsRoutes(app: FastifyInstance, coupons: Coupons): void {
  addRoute(app, listCoupons, async ({ query }) => answer(200, await coupons.list(query)))
  addDownload(app, exportCoupons, ({ body }) => coupons.export(body))
  addRoute(app, createCoupon, async ({ body }) => answer(201, await coupons.create(body)))
  addRoute(app, deactivateCoupon, async ({ params }) => answer(200, await coupons.deactivate(params.couponId)))
}
