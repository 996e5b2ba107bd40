import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import {
  connectGithubApp,
  createGithubApp,
  listGithubApps,
  listGithubRepositories,
  startGithubApp,
} from '#contract/github-app.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { GithubApps } from './github-app.service.ts'
import { renderHandover } from './handover-page.ts'

export function githubAppRoutes(app: FastifyInstance, apps: GithubApps): void {
  addRoute(app, startGithubApp, async ({ params, body, caller }) =>
    answer(201, await apps.start(caller.actor, params.organizationId, body)),
  )

  addRoute(app, listGithubApps, async ({ params, caller }) =>
    answer(200, { items: await apps.list(caller.actor, params.organizationId) }),
  )

  addRoute(app, createGithubApp, async ({ params, body, caller }) =>
    answer(200, await apps.exchange(caller.actor, params, body)),
  )

  addRoute(app, listGithubRepositories, async ({ params, caller }) =>
    answer(200, await apps.listRepositories(caller.actor, params)),
  )

  addRoute(app, connectGithubApp, async ({ params, body, caller }) =>
    answer(201, await apps.connect(caller.actor, params, body)),
  )

  handoverRoute(app, apps)
}

/**
 * GitHub takes the manifest as a form that the browser posts, which the policy of the dashboard's pages forbids. So a page
 * of its own does it, which the state alone opens: a browser's navigation carries no access token.
 */
function handoverRoute(app: FastifyInstance, apps: GithubApps): void {
  app.get<{ Params: { state: string } }>(
    '/api/v1/github-apps/:state',
    { schema: { hide: true } },
    async (request, reply) => {
      const handover = await apps.findManifest(request.params.state)
      const nonce = randomBytes(16).toString('base64')
      return (
        reply
          .code(handover ? 200 : 404)
          .type('text/html; charset=utf-8')
          // Without `form-action`: browsers apply it to redirects, too, and an Enterprise Server may sign in elsewhere.
          .header(
            'content-security-policy',
            `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
          )
          .header('referrer-policy', 'no-referrer')
          .header('cache-control', 'no-store')
          .header('x-robots-tag', 'noindex')
          .send(renderHandover(handover, nonce))
      )
    },
  )
}
