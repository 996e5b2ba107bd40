import { createAnalyticsFeature } from './features/analytics/analytics.feature.ts'
import { type AuthFeature, createAuthFeature } from './features/auth/auth.feature.ts'
import { createFeedbackFeature } from './features/feedback/feedback.feature.ts'
import { createFilesFeature } from './features/files/files.feature.ts'
import { createMailFeature } from './features/mail/mail.feature.ts'
import { createNotificationsFeature } from './features/notifications/notifications.feature.ts'
import {
  createOrganizationsFeature,
  type OrganizationsFeature,
} from './features/organizations/organizations.feature.ts'
import { createProjectsFeature } from './features/projects/projects.feature.ts'
import { createQuotasFeature } from './features/quotas/quotas.feature.ts'
import { createWidgetFeature } from './features/widget/widget.feature.ts'
import type { Feature } from './platform/feature.ts'
import { createLimitsFeature } from './platform/limits/limits.feature.ts'
import type { Platform } from './platform/platform.ts'

export interface Features {
  /** In dependency order: each needs only features above it. */
  readonly all: readonly Feature[]
  readonly auth: AuthFeature
  readonly organizations: OrganizationsFeature
}

/** Every feature of the product. A new one gets a line here, after those that it needs. */
export function createFeatures(platform: Platform): Features {
  const auth = createAuthFeature(platform)
  const organizations = createOrganizationsFeature(platform)
  const { quotas, ...quotasFeature } = createQuotasFeature(platform)
  const widget = createWidgetFeature(platform, { quotas })
  const files = createFilesFeature(platform, { widget, quotas })
  const feedback = createFeedbackFeature(platform, { files, quotas })
  const all = [
    createLimitsFeature(platform),
    createMailFeature(platform),
    auth,
    organizations,
    quotasFeature,
    createNotificationsFeature(platform),
    createAnalyticsFeature(platform),
    widget,
    files,
    feedback,
    createProjectsFeature(platform, { feedback }),
  ]
  return { all, auth, organizations }
}
