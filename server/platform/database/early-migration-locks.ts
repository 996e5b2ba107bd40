/**
 * Locks of the migrations between the first schema and the first file that had to declare its own. They are frozen, so their
 * locks stand here. `migration-locks.test.ts` compares, and prints what is missing.
 */
export const earlyLocks: Readonly<Record<string, readonly string[]>> = {
  '0013_export_subjects.sql': ['public.exports, access exclusive, brief'],
  '0014_sign_in.sql': ['auth.users, share row exclusive, brief', 'public.invitations, share, reads rows'],
  '0015_all_projects.sql': [
    'public.notification_preferences, access exclusive, changes rows',
    'public.notification_settings, access exclusive, reads rows',
  ],
  '0016_visitor_joins.sql': [
    'public.import_problems, access exclusive, brief',
    'public.imports, access exclusive, brief',
    'public.organizations, share row exclusive, brief',
    'public.visitor_erasures, access exclusive, brief',
  ],
  '0017_unanswered.sql': [
    'public.feedback, access exclusive, rewrites',
    'public.feedback_comments, access exclusive, reads rows',
    'public.feedback_counts, access exclusive, changes rows',
  ],
  '0018_workers.sql': ['app.job_workers, access exclusive, brief'],
  '0019_erasure_keys.sql': ['public.visitor_erasures, access exclusive, brief'],
  '0020_quotas.sql': [
    'public.organizations, share row exclusive, brief',
    'public.projects, share row exclusive, brief',
    'public.uploads, access exclusive, reads rows',
  ],
  '0021_reply_templates.sql': ['public.organizations, share row exclusive, brief'],
  '0022_inbox_state.sql': [
    'public.feedback, access exclusive, rewrites',
    'public.feedback_comments, access exclusive, reads rows',
    'public.feedback_counts, access exclusive, changes rows',
    'public.memberships, access exclusive, reads rows',
  ],
  '0023_visitors_and_annotations.sql': [
    'public.feedback, access exclusive, reads rows',
    'public.feedback_attachments, access exclusive, reads rows',
    'public.visitor_joins, access exclusive, brief',
    'public.visitors, access exclusive, changes rows',
  ],
  '0024_picture_gaps.sql': ['public.feedback_attachments, access exclusive, reads rows'],
  '0025_audit_trail.sql': [
    'app.events, access exclusive, reads rows',
    'app.instance_settings, access exclusive, reads rows',
    'public.audit_log, access exclusive, changes rows',
  ],
  '0026_organization_deletion.sql': [
    'public.memberships, access exclusive, brief',
    'public.organizations, access exclusive, reads rows',
  ],
  '0027_members.sql': [
    'public.memberships, access exclusive, changes rows',
    'public.organizations, share row exclusive, brief',
  ],
  '0028_api_keys.sql': ['public.projects, share row exclusive, brief'],
  '0029_idempotent_requests.sql': ['none'],
  '0030_key_exports.sql': ['public.api_keys, share update exclusive, brief', 'public.exports, access exclusive, brief'],
  '0031_integrations.sql': [
    'public.feedback, share row exclusive, brief',
    'public.organizations, share row exclusive, brief',
  ],
  '0032_issue_links.sql': [
    'app.events, access exclusive, reads rows',
    'public.audit_log, access exclusive, reads rows',
    'public.deliveries, access exclusive, brief',
    'public.feedback, share row exclusive, brief',
    'public.feedback_comments, access exclusive, reads rows',
    'public.integrations, access exclusive, brief',
  ],
  '0033_key_erasures.sql': ['public.visitor_erasures, access exclusive, brief'],
  '0034_oauth.sql': [
    'public.feedback_comments, access exclusive, brief',
    'public.feedback_events, access exclusive, brief',
    'public.memberships, share row exclusive, brief',
  ],
  '0035_integration_removal.sql': ['public.integrations, access exclusive, brief'],
  '0036_mapping_and_resolutions.sql': [
    'public.feedback, share row exclusive, brief',
    'public.integrations, access exclusive, brief',
    'public.issue_links, access exclusive, brief',
    'public.projects, access exclusive, brief',
  ],
  '0037_issue_marks.sql': ['none'],
  '0038_github_apps.sql': ['public.organizations, share row exclusive, brief'],
  '0039_tracker_hooks.sql': ['public.integrations, access exclusive, brief'],
  '0040_plans.sql': ['public.organizations, share row exclusive, reads rows'],
  '0041_locked_feedback.sql': ['public.feedback, access exclusive, reads rows'],
  '0042_subscriptions.sql': [
    'public.organizations, share row exclusive, brief',
    'public.plans, share row exclusive, brief',
  ],
  '0043_withdrawals.sql': ['public.organizations, share row exclusive, brief'],
  '0044_granted_plans_and_revenue.sql': [
    'public.organizations, share row exclusive, brief',
    'public.payments, access exclusive, brief',
    'public.plans, share row exclusive, brief',
    'public.refunds, share, brief',
  ],
  '0045_contact.sql': ['none'],
  '0046_blog.sql': ['none'],
  '0047_usage.sql': [
    'public.contact_messages, access exclusive, brief',
    'public.organizations, share row exclusive, reads rows',
    'public.widget_counters, share, reads rows',
  ],
  '0048_instance_audit.sql': ['public.audit_log, share, reads rows'],
  '0049_email_bounces.sql': ['app.emails, access exclusive, reads rows'],
  '0050_monitoring.sql': ['none'],
  '0051_backup.sql': ['none'],
  '0052_accounts.sql': ['auth.users, share row exclusive, reads rows'],
  '0053_organization_lists.sql': ['public.organizations, share, reads rows'],
}
