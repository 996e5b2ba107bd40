import { type ComponentType, createElement, type LazyExoticComponent, lazy } from 'react'

interface Screen {
  readonly title: string
  readonly Content: LazyExoticComponent<ComponentType<{ id: string }>>
}

/** One link of the area's menu: the first part of the address below `/dashboard/superadmin`; empty: the area's own. */
interface Area {
  readonly path: string
  readonly label: string
  /** It stays current on screens below its own. */
  readonly hasScreensBelow?: boolean
}

/** The menu of the superadmins' area, as it is read. */
export const areaGroups: readonly { readonly label: string; readonly areas: readonly Area[] }[] = [
  { label: 'Overview', areas: [{ path: '', label: 'Overview' }] },
  {
    label: 'People',
    areas: [
      { path: 'users', label: 'Users', hasScreensBelow: true },
      { path: 'organizations', label: 'Organisations', hasScreensBelow: true },
      { path: 'audit', label: 'Audit log' },
    ],
  },
  {
    label: 'Billing',
    areas: [
      { path: 'subscriptions', label: 'Subscriptions', hasScreensBelow: true },
      { path: 'coupons', label: 'Coupons' },
      { path: 'revenue', label: 'Revenue', hasScreensBelow: true },
      { path: 'plans', label: 'Plans' },
    ],
  },
  {
    label: 'Use',
    areas: [
      { path: 'metrics', label: 'Metrics', hasScreensBelow: true },
      { path: 'widget-test', label: 'Widget test' },
    ],
  },
  {
    label: 'Operation',
    areas: [
      { path: 'monitoring', label: 'Monitoring' },
      { path: 'logs', label: 'Logs' },
      { path: 'maintenance', label: 'Maintenance' },
      { path: 'settings', label: 'Settings' },
    ],
  },
  {
    label: 'Emails',
    areas: [
      { path: 'email-monitoring', label: 'Email monitoring', hasScreensBelow: true },
      { path: 'email-templates', label: 'Email templates', hasScreensBelow: true },
      { path: 'email-suppressions', label: 'Suppression list' },
    ],
  },
  {
    label: 'Content',
    areas: [{ path: 'blog', label: 'Blog', hasScreensBelow: true }],
  },
]

/** By the part of the address behind the area's own. `:id` stands for an id. Each is loaded when it is opened. */
const screens: Readonly<Record<string, Screen>> = {
  '': {
    title: 'Superadmin',
    Content: lazy(async () => {
      const { OverviewScreen } = await import('#web/features/superadmin/overview/overview-screen.tsx')
      const areas = areaGroups.flatMap((group) => group.areas.map(({ path }) => path))
      // It links only to screens that exist.
      return { default: () => createElement(OverviewScreen, { areas }) }
    }),
  },
  users: {
    title: 'Users',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/users/users-screen.tsx')).UsersScreen,
    })),
  },
  'users/:id': {
    title: 'User',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/users/user-screen.tsx')).UserScreen,
    })),
  },
  organizations: {
    title: 'Organisations',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/organizations/organizations-screen.tsx')).OrganizationsScreen,
    })),
  },
  'organizations/:id': {
    title: 'Organisation',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/organizations/organization-screen.tsx')).OrganizationScreen,
    })),
  },
  audit: {
    title: 'Audit log',
    Content: lazy(async () => ({
      default: (await import('#web/features/audit/instance-audit-screen.tsx')).InstanceAuditScreen,
    })),
  },
  'widget-test': {
    title: 'Widget test',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/widget-test/widget-test-screen.tsx')).WidgetTestScreen,
    })),
  },
  metrics: {
    title: 'Metrics',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/metrics/metrics-screen.tsx')).MetricsScreen,
    })),
  },
  'metrics/organizations': {
    title: 'Metrics',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/metrics/metrics-parts-screen.tsx')).MetricsPartsScreen,
    })),
  },
  subscriptions: {
    title: 'Subscriptions',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/subscriptions/subscribers-screen.tsx')).SubscribersScreen,
    })),
  },
  'subscriptions/:id': {
    title: 'Subscription',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/subscriptions/subscriber-screen.tsx')).SubscriberScreen,
    })),
  },
  coupons: {
    title: 'Coupons',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/coupons/coupons-screen.tsx')).CouponsScreen,
    })),
  },
  revenue: {
    title: 'Revenue',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/revenue/revenue-screen.tsx')).RevenueScreen,
    })),
  },
  'revenue/organizations': {
    title: 'Revenue',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/revenue/revenue-parts-screen.tsx')).RevenuePartsScreen,
    })),
  },
  blog: {
    title: 'Blog',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/blog/posts-screen.tsx')).PostsScreen,
    })),
  },
  'blog/:id': {
    title: 'Post',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/blog/post-screen.tsx')).PostScreen,
    })),
  },
  plans: {
    title: 'Plans',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/plans/plans-screen.tsx')).PlansScreen,
    })),
  },
  monitoring: {
    title: 'Monitoring',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/monitoring/monitoring-screen.tsx')).MonitoringScreen,
    })),
  },
  logs: {
    title: 'Logs',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/logs/logs-screen.tsx')).LogsScreen,
    })),
  },
  maintenance: {
    title: 'Maintenance',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/maintenance/maintenance-screen.tsx')).MaintenanceScreen,
    })),
  },
  settings: {
    title: 'Instance settings',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/settings/settings-screen.tsx')).SettingsScreen,
    })),
  },
  'email-monitoring': {
    title: 'Email monitoring',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/emails/email-monitoring-screen.tsx')).EmailMonitoringScreen,
    })),
  },
  'email-monitoring/:id': {
    title: 'Email',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/emails/email-screen.tsx')).EmailScreen,
    })),
  },
  'email-templates': {
    title: 'Email templates',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/email-templates/templates-screen.tsx')).TemplatesScreen,
    })),
  },
  'email-templates/:id': {
    title: 'Email template',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/email-templates/template-screen.tsx')).TemplateScreen,
    })),
  },
  'email-suppressions': {
    title: 'Suppression list',
    Content: lazy(async () => ({
      default: (await import('#web/features/superadmin/emails/suppressions-screen.tsx')).SuppressionsScreen,
    })),
  },
}

/** The screen of an area, or of something in it. */
export function findSuperadminScreen(area: string, id: string): Screen | undefined {
  const path = id === '' ? area : `${area}/${id}`
  const key = [path, `${area}/:id`].find((each) => Object.hasOwn(screens, each) && (id !== '' || each === path))
  return key === undefined ? undefined : screens[key]
}
