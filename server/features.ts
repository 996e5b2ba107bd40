import { createAnalyticsFeature } from './features/analytics/analytics.feature.ts'
import { type ApiKeysFeature, createApiKeysFeature } from './features/api-keys/api-keys.feature.ts'
import { type AuditFeature, createAuditFeature } from './features/audit/audit.feature.ts'
import { type AuthFeature, createAuthFeature } from './features/auth/auth.feature.ts'
import { createBackupFeature } from './features/backup/backup.feature.ts'
import { createBillingFeature } from './features/billing/billing.feature.ts'
import { createBlogFeature } from './features/blog/blog.feature.ts'
import { createContactFeature } from './features/contact/contact.feature.ts'
import { createDocsFeature } from './features/docs/docs.feature.ts'
import { createDoctorFeature } from './features/doctor/doctor.feature.ts'
import { createFeedbackFeature } from './features/feedback/feedback.feature.ts'
import { createFilesFeature } from './features/files/files.feature.ts'
import {
  createImpersonationsFeature,
  type ImpersonationsFeature,
} from './features/impersonations/impersonations.feature.ts'
import { createIntegrationsFeature } from './features/integrations/integrations.feature.ts'
import { createLogsFeature } from './features/logs/logs.feature.ts'
import { createMailFeature } from './features/mail/mail.feature.ts'
import { createMcpFeature } from './features/mcp/mcp.feature.ts'
import { createMonitoringFeature } from './features/monitoring/monitoring.feature.ts'
import { createNotificationsFeature } from './features/notifications/notifications.feature.ts'
import { createOAuthFeature } from './features/oauth/oauth.feature.ts'
import {
  createOrganizationsFeature,
  type OrganizationsFeature,
} from './features/organizations/organizations.feature.ts'
import { createProductAnalyticsFeature } from './features/product-analytics/product-analytics.feature.ts'
import { createProjectsFeature } from './features/projects/projects.feature.ts'
import { createQuotasFeature } from './features/quotas/quotas.feature.ts'
import { createSiteFeature } from './features/site/site.feature.ts'
import { createSuperadminMaintenanceFeature } from './features/superadmin-maintenance/superadmin-maintenance.feature.ts'
import { createSuperadminMetricsFeature } from './features/superadmin-metrics/superadmin-metrics.feature.ts'
import { createSuperadminOrganizationsFeature } from './features/superadmin-organizations/superadmin-organizations.feature.ts'
import { createSuperadminOverviewFeature } from './features/superadmin-overview/superadmin-overview.feature.ts'
import { createSuperadminSettingsFeature } from './features/superadmin-settings/superadmin-settings.feature.ts'
import { createSuperadminUsersFeature } from './features/superadmin-users/superadmin-users.feature.ts'
import { createSuperadminWidgetTestFeature } from './features/superadmin-widget-test/superadmin-widget-test.feature.ts'
import { createWidgetFeature } from './features/widget/widget.feature.ts'
import type { Feature } from './platform/feature.ts'
import { createIdempotencyFeature } from './platform/idempotency/idempotency.feature.ts'
import { createLimitsFeature } from './platform/limits/limits.feature.ts'
import type { Platform } from './platform/platform.ts'

export interface Features {
  /** In dependency order: each needs only features above it. */
  readonly all: readonly Feature[]
  readonly audit: AuditFeature
  readonly auth: AuthFeature
  readonly organizations: OrganizationsFeature
  readonly apiKeys: ApiKeysFeature
  readonly impersonations: ImpersonationsFeature
}

/** Every feature of the product. A new one gets a line here, after those that it needs. */
export function createFeatures(platform: Platform): Features {
  const auth = createAuthFeature(platform)
  const billing = createBillingFeature(platform)
  const organizations = createOrganizationsFeature(platform, billing)
  const audit = createAuditFeature(platform)
  const apiKeys = createApiKeysFeature(platform)
  const impersonations = createImpersonationsFeature(platform)
  const { quotas, ...quotasFeature } = createQuotasFeature(platform)
  const widget = createWidgetFeature(platform, { quotas })
  const files = createFilesFeature(platform, { widget, quotas })
  const feedback = createFeedbackFeature(platform, { files, quotas, widget })
  const oauth = createOAuthFeature(platform)
  const integrations = createIntegrationsFeature(platform, {
    items: feedback.deliveredItems,
    tracked: feedback.trackedItems,
    feedback: feedback.services.feedback,
  })
  const { projects, ...projectsFeature } = createProjectsFeature(platform, { feedback })
  const { readLatestLines, ...logsFeature } = createLogsFeature(platform)
  const blog = createBlogFeature(platform)
  const docs = createDocsFeature(platform)
  const all: Feature[] = [
    // First, so that it stops last and stores the lines of all others.
    logsFeature,
    createLimitsFeature(platform),
    createIdempotencyFeature(platform),
    createMailFeature(platform),
    auth,
    billing,
    organizations,
    audit,
    apiKeys,
    quotasFeature,
    createNotificationsFeature(platform, { quotas }),
    createAnalyticsFeature(platform),
    createProductAnalyticsFeature(platform),
    createSuperadminMetricsFeature(platform),
    createSuperadminOverviewFeature(platform),
    createSuperadminUsersFeature(platform, { recovery: auth.recovery }),
    impersonations,
    createSuperadminOrganizationsFeature(platform, { quotas }),
    blog,
    docs,
    widget,
    files,
    feedback,
    integrations,
    projectsFeature,
    oauth,
    createMcpFeature(platform, {
      items: feedback.services,
      projects,
      links: integrations.links,
      findHolder: oauth.findHolder,
    }),
    createContactFeature(platform),
    createSuperadminWidgetTestFeature(platform, { testItems: feedback.testItems }),
    createSuperadminSettingsFeature(platform, { readLatestLines }),
    createSuperadminMaintenanceFeature(platform, {
      listGoingOn: () =>
        all
          .flatMap((feature) => feature.jobs?.() ?? [])
          .flatMap(({ name, evenReadOnly }) => (evenReadOnly === undefined ? [] : [name])),
    }),
    createMonitoringFeature(platform),
    createBackupFeature(platform),
    createDoctorFeature(platform),
    createSiteFeature(platform, {
      listContent: async () => [...(await docs.listPages()), ...(await blog.listPages())],
    }),
  ]
  return { all, audit, auth, organizations, apiKeys, impersonations }
}
