import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

/** Every address of the web app, from path to the module that shows it. */
export default [
  // Rendered by the server, and not run in the browser.
  layout('app/site/site-layout.tsx', [
    index('app/routes/landing.tsx'),
    route('pricing', 'app/routes/pricing.tsx'),
    route('how-it-works', 'app/routes/how-it-works.tsx'),
    route('about', 'app/routes/about.tsx'),
    route('contact', 'app/routes/contact.tsx'),
    route('privacy', 'app/routes/privacy.tsx'),
    route('terms', 'app/routes/terms.tsx'),
    route('blog', 'app/routes/blog.tsx'),
    route('blog/:slug', 'app/routes/blog-post.tsx'),
    route('docs/guides/:path', 'app/routes/guide.tsx'),
  ]),
  route('conversation/:token', 'app/routes/conversation.tsx'),

  layout('app/session-layout.tsx', [
    route('login', 'app/routes/login.tsx'),
    route('register', 'app/routes/register.tsx'),
    route('forgot-password', 'app/routes/forgot-password.tsx'),
    route('reset-password', 'app/routes/reset-password.tsx'),
    route('auth/callback', 'app/routes/auth-callback.tsx'),
    route('accept-invitation/:token', 'app/routes/accept-invitation.tsx'),
    route('oauth/authorize', 'app/routes/authorize-app.tsx'),
    route('unsubscribe/:token', 'app/routes/unsubscribe.tsx'),
    // One route for both looks: each route weighs on every page.
    route('trial-expired/simple?', 'app/routes/trial-expired.tsx'),
    route('plan-selection/simple?', 'app/routes/plan-selection.tsx'),

    layout('app/dashboard-layout.tsx', [
      layout('app/dashboard-content.tsx', [
        route('dashboard', 'app/routes/dashboard.tsx'),
        route('dashboard/projects', 'app/routes/projects.tsx'),
        route('dashboard/projects/new', 'app/routes/new-project.tsx'),
        layout('app/project-layout.tsx', [
          route('dashboard/projects/:projectId', 'app/routes/project.tsx'),
          route('dashboard/projects/:projectId/analytics', 'app/routes/project-analytics.tsx'),
          route('dashboard/projects/:projectId/edit', 'app/routes/edit-project.tsx'),
          route('dashboard/projects/:projectId/widget', 'app/routes/widget.tsx'),
          route('dashboard/projects/:projectId/api-keys', 'app/routes/api-keys.tsx'),
        ]),
        route('dashboard/analytics', 'app/routes/analytics.tsx'),
        route('dashboard/feedback', 'app/routes/feedback.tsx'),
        route('dashboard/visitors', 'app/routes/visitors.tsx'),
        route('dashboard/visitors/:visitor', 'app/routes/visitor.tsx'),
        route('dashboard/integrations', 'app/routes/integrations.tsx'),
        route('dashboard/integrations/new/:type', 'app/routes/connect-integration.tsx'),
        route('dashboard/integrations/github-app/:githubAppId', 'app/routes/connect-github-app.tsx'),
        route('dashboard/integrations/:integrationId', 'app/routes/integration.tsx'),
        route('dashboard/integrations/:integrationId/edit', 'app/routes/edit-integration.tsx'),
        // One route for the list and every guide: each route weighs on every page.
        route('dashboard/documentation/:path?', 'app/routes/documentation.tsx'),
        route('dashboard/organization', 'app/routes/organization.tsx'),
        route('dashboard/organizations', 'app/routes/organization.tsx', { id: 'organizations' }),
        route('dashboard/team', 'app/routes/organization.tsx', { id: 'team' }),
        route('dashboard/organization/audit', 'app/routes/audit.tsx'),
        route('dashboard/settings', 'app/routes/settings.tsx'),
        route('dashboard/settings/notifications', 'app/routes/notification-settings.tsx'),
        route('dashboard/settings/storage', 'app/routes/storage-settings.tsx'),
        route('dashboard/settings/billing', 'app/routes/billing-settings.tsx'),
        // Its screens are not listed here: every page would load their addresses.
        route('dashboard/superadmin/:area?/:id?', 'app/routes/superadmin.tsx'),
        route('dashboard/contact', 'app/routes/dashboard-contact.tsx'),
        route('dashboard/debug-auth', 'app/routes/debug-auth.tsx'),
        route('test-feedback', 'app/routes/test-feedback.tsx'),
      ]),
    ]),
    route('dashboard/*', 'app/routes/dashboard-not-found.tsx'),
  ]),

  route('*', 'app/routes/not-found.tsx'),
] satisfies RouteConfig
