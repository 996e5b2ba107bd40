import * as analytics from '#contract/analytics.ts'
import * as auth from '#contract/auth.ts'
import * as config from '#contract/config.ts'
import * as conversation from '#contract/conversation.ts'
import * as exports from '#contract/exports.ts'
import * as feedback from '#contract/feedback.ts'
import * as imports from '#contract/imports.ts'
import * as inbox from '#contract/inbox.ts'
import * as merge from '#contract/merge.ts'
import * as notifications from '#contract/notifications.ts'
import * as organizations from '#contract/organizations.ts'
import * as projects from '#contract/projects.ts'
import type { RouteContract } from '#contract/route.ts'
import * as trash from '#contract/trash.ts'
import * as triage from '#contract/triage.ts'
import * as visitorConversation from '#contract/visitor-conversation.ts'
import * as visitors from '#contract/visitors.ts'
import * as widget from '#contract/widget.ts'
import * as widgetConfig from '#contract/widget-config.ts'

/** Every operation that a contract describes. A test compares with what the server prints of itself. */
export const contracts: readonly RouteContract[] = [
  auth,
  config,
  organizations,
  notifications,
  projects,
  feedback,
  conversation,
  visitorConversation,
  merge,
  inbox,
  analytics,
  trash,
  triage,
  exports,
  visitors,
  imports,
  widget,
  widgetConfig,
]
  .flatMap((module) => Object.values(module) as unknown[])
  .filter(isContract)

function isContract(value: unknown): value is RouteContract {
  return typeof value === 'object' && value !== null && 'operationId' in value
}
