interface SuperadminArea {
  /** Below /dashboard/superadmin; empty: the area's own. */
  readonly path: string
  /** Of its page. */
  readonly title: string
  /** What its screen reads first. */
  readonly read: string
}

/** The superadmins' routes of SPEC.md, section 2, in its order. A new one is a line here. */
export const superadminAreas: readonly SuperadminArea[] = [
  { path: '', title: 'Superadmin', read: '/overview' },
  { path: '/users', title: 'Users', read: '/users' },
  { path: '/organizations', title: 'Organisations', read: '/organizations' },
  { path: '/subscriptions', title: 'Subscriptions', read: '/subscriptions' },
  { path: '/coupons', title: 'Coupons', read: '/coupons' },
  { path: '/metrics', title: 'Metrics', read: '/metrics' },
  { path: '/monitoring', title: 'Monitoring', read: '/monitoring' },
  { path: '/revenue', title: 'Revenue', read: '/revenue' },
  { path: '/widget-test', title: 'Widget test', read: '/widget-test/projects' },
  { path: '/audit', title: 'Audit log', read: '/audit' },
  { path: '/blog', title: 'Blog', read: '/blog/posts' },
  { path: '/email-templates', title: 'Email templates', read: '/email-templates' },
  { path: '/email-monitoring', title: 'Email monitoring', read: '/emails' },
  { path: '/logs', title: 'Logs', read: '/logs' },
]
