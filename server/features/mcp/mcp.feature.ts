import type { FeedbackServices } from '#server/features/feedback/feedback.feature.ts'
import type { IntegrationsFeature } from '#server/features/integrations/integrations.feature.ts'
import type { OAuthFeature } from '#server/features/oauth/oauth.feature.ts'
import type { Projects } from '#server/features/projects/projects.service.ts'
import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { mcpRoutes } from './mcp.routes.ts'
import { createMcp } from './mcp-server.ts'
import { createPictures } from './pictures.ts'
import { createAddNote } from './tools/add-note.ts'
import { createChangeStatus } from './tools/change-status.ts'
import { createFindSimilar } from './tools/find-similar.ts'
import { createGetFeedback } from './tools/get-feedback.ts'
import { createLinkIssue } from './tools/link-issue.ts'
import { createListFeedback, createSearchFeedback } from './tools/list-feedback.ts'
import { createListProjects } from './tools/list-projects.ts'
import { createListTrackers } from './tools/list-trackers.ts'

export interface McpNeeds {
  readonly items: FeedbackServices
  readonly projects: Pick<Projects, 'list'>
  readonly links: Pick<IntegrationsFeature['links'], 'list' | 'listTrackers' | 'link'>
  readonly findHolder: OAuthFeature['findHolder']
}

/** Feedback for agents, by the Model Context Protocol. */
export function createMcpFeature(platform: Platform, { items, projects, links, findHolder }: McpNeeds): Feature {
  const { config, database, readOnly, storage, log } = platform
  const { appUrl, appVersion: version } = config
  const { feedback, comments, merges } = items
  const tools = [
    createListProjects(projects),
    createListFeedback(feedback),
    createSearchFeedback(feedback),
    createGetFeedback({ feedback, links, pictures: createPictures(database, storage), appUrl }),
    createFindSimilar(merges),
    createListTrackers(links),
    createAddNote(comments),
    createChangeStatus(feedback),
    createLinkIssue(links),
  ]
  const mcp = createMcp(tools, { version, log })
  return {
    name: 'mcp',
    routes: (app) => mcpRoutes(app, { mcp, tools, guard: { appUrl, findHolder }, readOnly }),
    stop: () => mcp.close(),
  }
}
