import type { FastifyInstance } from 'fastify'
import {
  discardWidgetDraft,
  getIdentitySecret,
  getWidget,
  getWidgetTexts,
  publishWidget,
  rotateIdentitySecret,
  saveWidgetDraft,
  undoWidgetPublish,
} from '#contract/widget-config.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { WidgetBuild } from '../widget-build.ts'
import type { WidgetSettingsService } from './widget-settings.service.ts'

export function widgetSettingsRoutes(
  app: FastifyInstance,
  { settings, build }: { settings: WidgetSettingsService; build: WidgetBuild },
): void {
  addRoute(app, getWidget, async ({ params, caller }) => answer(200, await settings.get(caller.actor, params)))

  addRoute(app, saveWidgetDraft, async ({ params, body, caller }) =>
    answer(200, await settings.saveDraft(caller.actor, params, body)),
  )

  addRoute(app, discardWidgetDraft, async ({ params, caller }) =>
    answer(200, await settings.discardDraft(caller.actor, params)),
  )

  addRoute(app, publishWidget, async ({ params, caller }) => answer(200, await settings.publish(caller.actor, params)))

  addRoute(app, undoWidgetPublish, async ({ params, body, caller }) =>
    answer(200, await settings.undo(caller.actor, params, body.publishedAt)),
  )

  addRoute(app, getIdentitySecret, async ({ params, caller }) =>
    answer(200, { secret: await settings.getIdentitySecret(caller.actor, params) }),
  )

  addRoute(app, rotateIdentitySecret, async ({ params, caller }) =>
    answer(200, { secret: await settings.rotateIdentitySecret(caller.actor, params) }),
  )

  addRoute(app, getWidgetTexts, async ({ params }) =>
    answer(200, { texts: { ...build.words.en, ...build.words[params.locale] } }),
  )
}
