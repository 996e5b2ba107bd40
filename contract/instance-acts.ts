/**
 * Changes of the instance by superadmins, in words; `{actor}` and `{target}` as in `audited-events.ts`. An act that is not
 * listed here is shown by its name.
 */
export const instanceActs: Readonly<Record<string, string>> = {
  'plan.created': '{actor} created the plan {target}',
  'plan.updated': '{actor} changed the plan {target}',
  'plan.retired': '{actor} retired the plan {target}',
  'plan.deleted': '{actor} deleted the plan {target}',
  'coupon.created': '{actor} created the coupon {target}',
  'coupon.deactivated': '{actor} deactivated the coupon {target}',
  'email.retried': '{actor} sent the email to {target} again',
  'email.all_retried': '{actor} sent all {target} again',
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
  'threshold.changed': '{actor} changed the threshold of {target}',
  'threshold.reset': '{actor} reset the threshold of {target} to its default',
}
