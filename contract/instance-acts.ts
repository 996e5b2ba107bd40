/** As in `audited-events.ts`: by the value of a fact, where it decides. */
type Words = string | { readonly fact: string; readonly by: Readonly<Record<string, string>> }

/**
 * Changes of the instance by superadmins, in words; `{actor}` and `{target}` as in `audited-events.ts`. An act that is not
 * listed here is shown by its name.
 */
export const instanceActs: Readonly<Record<string, Words>> = {
  'read_only.turned_on': '{actor} made the instance read-only',
  'read_only.changed': '{actor} changed the message or expected end of read-only mode',
  'read_only.turned_off': '{actor} ended read-only mode',
  'list.exported': '{actor} downloaded the list {target}',
  'support_bundle.downloaded': '{actor} downloaded the support bundle',
  'contact_message.answered': '{actor} marked the message from {target} as answered',
  'contact_message.reopened': '{actor} marked the message from {target} as open again',
  'plan.created': '{actor} created the plan {target}',
  'plan.updated': '{actor} changed the plan {target}',
  'plan.retired': '{actor} retired the plan {target}',
  'plan.deleted': '{actor} deleted the plan {target}',
  'coupon.created': '{actor} created the coupon {target}',
  'coupon.deactivated': '{actor} deactivated the coupon {target}',
  'user.confirmed': '{actor} confirmed the email address of {target}',
  'user.banned': '{actor} banned {target}',
  'user.unbanned': '{actor} lifted the ban of {target}',
  'user.signed_out': '{actor} signed {target} out on all devices',
  'user.made_superadmin': '{actor} made {target} superadmin',
  'user.removed_superadmin': '{actor} removed {target} from the superadmins',
  'user.password_reset_sent': '{actor} sent {target} an email to reset the password',
  'user.impersonated': {
    fact: 'mode',
    by: {
      read_only: '{actor} began to impersonate {target}, read-only, for {after.minutes} minutes: {after.reason}',
      changes: '{actor} began to impersonate {target}, with changes, for {after.minutes} minutes: {after.reason}',
    },
  },
  'user.impersonation_ended': {
    fact: 'end',
    by: {
      ended: '{actor} ended the impersonation of {target}',
      expired: 'The impersonation of {target} ended: its time was over',
      superadmin_lost_right: 'The impersonation of {target} ended: the superadmin lost the right',
      superadmin_signed_out: 'The impersonation of {target} ended: the superadmin signed out',
      user_became_superadmin: 'The impersonation of {target} ended: the person became superadmin',
      user_unusable: 'The impersonation of {target} ended: the account was banned or deleted',
    },
  },
  'email.retried': '{actor} sent the email to {target} again',
  'email.all_retried': '{actor} sent all {target} again',
  'email_template.saved': '{actor} changed the words of the email {target}',
  'email_template.reset': '{actor} reset the words of the email {target} to the default',
  'email_template.imported': '{actor} imported the words of the email {target}',
  'email_template.tested': '{actor} sent a test of the email {target}',
  'email_suppression.added': '{actor} suppressed the address {target}',
  'email_suppression.removed': '{actor} removed {target} from the suppressed addresses',
  'blog_post.created': '{actor} created the post {target}',
  'blog_post.saved': '{actor} saved the post {target}',
  'blog_post.scheduled': '{actor} scheduled the post {target}',
  'blog_post.published': '{actor} published the post {target}',
  'blog_post.unpublished': '{actor} took the post {target} back into the drafts',
  'blog_post.deleted': '{actor} deleted the post {target}',
  'blog_post.restored': '{actor} restored the post {target}',
  'blog_picture.uploaded': '{actor} uploaded the picture {target} for the blog',
  'job.retried': '{actor} retried the failed job {target}',
  'jobs.retried': '{actor} retried all failed jobs',
  'job.deleted': '{actor} deleted the failed job {target}',
  'logs.exported': '{actor} downloaded log lines',
  'threshold.changed': '{actor} changed the threshold of {target}',
  'threshold.reset': '{actor} reset the threshold of {target} to its default',
}
