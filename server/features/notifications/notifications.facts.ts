import { type Facts, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0015_all_projects.sql': '882e541bf29395888d8b598ab2c27df99e52541d8943a3055a15cc58b916b03c',
    '0011_notifications.sql': 'b7f3ba158020e04c702e96b2db8226d4c5d18fadc2575d44f2ec7a37493c995b',
  },
  tables: {
    'public.notifications': {
      rights: ['----', '.-.-', '.-.-', '.-.-', 'siud'],
      changeable: ['read_at'],
      make: ({ organizationId, picturedId, feedbackId }) =>
        `insert into public.notifications (organization_id, user_id, feedback_id, kind, in_app, mail_due)
         values ('${organizationId}', '${picturedId}', '${feedbackId}', 'assigned', true, false)`,
      row: inOrganization,
      change: 'read_at = now()',
      add: (tenant) =>
        `(organization_id, user_id, feedback_id, kind, in_app, mail_due)
       values ('${tenant.organizationId}', '${tenant.picturedId}', '${tenant.feedbackId}', 'assigned', true, false)`,
    },
    'public.notification_preferences': {
      rights: ['----', '...-', '...-', '...-', 'siud'],
      changeable: [
        'assigned_app',
        'assigned_mail',
        'mailed_until',
        'mentioned_app',
        'mentioned_mail',
        'new_feedback_app',
        'new_feedback_mail',
        'seen_until',
        'visitor_replied_app',
        'visitor_replied_mail',
      ],
      make: ({ organizationId, picturedId, projectId }) =>
        `insert into public.notification_preferences (organization_id, user_id, project_id)
         values ('${organizationId}', '${picturedId}', '${projectId}')`,
      row: inOrganization,
      change: 'seen_until = now()',
      add: (tenant) =>
        `(organization_id, user_id, project_id)
       values ('${tenant.organizationId}', '${tenant.picturedId}', '${tenant.emptyProjectId}')`,
    },
    'public.notification_settings': {
      rights: ['----', '...-', '...-', '...-', 'siud'],
      changeable: [
        'assigned_app',
        'assigned_mail',
        'mentioned_app',
        'mentioned_mail',
        'muted_mails',
        'new_feedback_app',
        'new_feedback_mail',
        'time_zone',
        'visitor_replied_app',
        'visitor_replied_mail',
      ],
      make: ({ organizationId, picturedId }) =>
        `insert into public.notification_settings (organization_id, user_id)
         values ('${organizationId}', '${picturedId}')`,
      row: inOrganization,
      change: "time_zone = 'UTC'",
      // For a colleague who has no row yet.
      add: (tenant, callerId) =>
        `(organization_id, user_id) values ('${tenant.organizationId}', coalesce((
         select user_id from public.memberships where organization_id = '${tenant.organizationId}'
           and user_id::text not in ('${tenant.picturedId}', '${callerId}') limit 1), '${tenant.picturedId}'))`,
    },
  },
  functions: {
    'app.find_mailable(uuid)': ['service_role'],
    'app.local_time(text)': ['service_role'],
    'app.record_notifications(uuid,uuid,jsonb)': ['service_role'],
  },
  gates: { 'POST /unsubscribe/{token}': 'secret address' },
  routes: {
    markNotifications: { body: () => ({ read: true, all: true }) },
    updateNotificationPreferences: {
      body: () => ({ mutedMails: [] }),
      fullBody: () => ({
        timeZone: 'Europe/Berlin',
        mutedMails: ['personal'],
        allProjects: {
          newFeedback: { mail: 'instant', app: true },
          assigned: { mail: true, app: true },
          mentioned: { mail: true, app: false },
          visitorReplied: { mail: false, app: true },
        },
        projects: [{ projectId: crypto.randomUUID(), newFeedback: { mail: 'hourly' }, assigned: { app: false } }],
      }),
    },
    updateMailContent: { body: () => ({ mailsHoldWords: true }) },
    updateSubscription: { fullBody: () => ({ isSubscribed: true }) },
  },
}
