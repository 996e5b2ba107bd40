import type { EventName } from './events.ts'

/*
 * Which events the audit log holds, and in which words; which it leaves out, and why. An event that stands in neither
 * list fails a test.
 */

/** What an entry is about, for filters. */
export const auditCategories = [
  'members',
  'security',
  'organization',
  'projects',
  'keys',
  'integrations',
  'data',
  'superadmin',
] as const
export type AuditCategory = (typeof auditCategories)[number]

/** What a change is done to. */
export const auditTargets = [
  'user',
  'invitation',
  'organization',
  'project',
  'api_key',
  'integration',
  'connected_app',
  'export',
  'import',
  'visitor_erasure',
] as const
export type AuditTarget = (typeof auditTargets)[number]

export type AuditFacts = Readonly<Record<string, unknown>>

/** One change that an event stands for. */
export interface AuditChange {
  readonly targetId: string
  readonly targetName?: string | undefined
  readonly before: AuditFacts | null
  readonly after: AuditFacts | null
}

export interface AuditedEvent {
  readonly category: AuditCategory
  readonly target: AuditTarget
  /**
   * The change in words: `{actor}`, `{target}` and facts such as `{after.role}`. By the value of a fact, where
   * it decides: the first whose fact has the value counts.
   */
  readonly words: string | { readonly fact: string; readonly by: Readonly<Record<string, string>> }
  /** The words where actor and target are one person. */
  readonly ownWords?: string
}

export const auditedEvents: Partial<Record<EventName, AuditedEvent>> = {
  'organization.created': {
    category: 'organization',
    target: 'organization',
    words: '{actor} created the organisation {target}',
  },
  'organization.updated': {
    category: 'organization',
    target: 'organization',
    words: '{actor} changed {fields} of the organisation',
  },
  'organization.deletion_requested': {
    category: 'organization',
    target: 'organization',
    words: '{actor} deleted the organisation',
  },
  'organization.restored': {
    category: 'organization',
    target: 'organization',
    words: '{actor} restored the organisation',
  },
  'organization.suspended': {
    category: 'superadmin',
    target: 'organization',
    words: '{actor} suspended the organisation',
  },
  'organization.suspension_lifted': {
    category: 'superadmin',
    target: 'organization',
    words: '{actor} lifted the suspension of the organisation',
  },
  'subscription.changed': {
    category: 'organization',
    target: 'organization',
    words: '{actor} changed the subscription from {before.status} to {after.status}',
  },
  'member.invited': {
    category: 'members',
    target: 'invitation',
    words: '{actor} invited {target} with the role {after.role}',
  },
  'member.invitation_revoked': {
    category: 'members',
    target: 'invitation',
    words: '{actor} revoked the invitation of {target}',
  },
  'member.invitation_link_created': {
    category: 'members',
    target: 'invitation',
    words: '{actor} made a new link of the invitation of {target}',
  },
  'member.joined': {
    category: 'members',
    target: 'user',
    words: '{actor} added {target} with the role {after.role}',
    ownWords: '{actor} joined with the role {after.role}',
  },
  'member.removed': {
    category: 'members',
    target: 'user',
    words: '{actor} removed {target}',
    ownWords: '{actor} left the organisation',
  },
  'member.role_changed': {
    category: 'members',
    target: 'user',
    words: '{actor} changed the role of {target} from {before.role} to {after.role}',
    ownWords: '{actor} changed their own role from {before.role} to {after.role}',
  },
  'project.created': { category: 'projects', target: 'project', words: '{actor} created the project {target}' },
  'project.updated': { category: 'projects', target: 'project', words: '{actor} changed {fields} of {target}' },
  'project.deleted': { category: 'projects', target: 'project', words: '{actor} deleted the project {target}' },
  'project.removed': {
    category: 'projects',
    target: 'project',
    words: '{actor} removed everything that {target} contained',
  },
  'project.retention_applied': {
    category: 'data',
    target: 'project',
    words: '{actor} deleted items of {target} older than {after.days} days',
  },
  'widget.configured': {
    category: 'projects',
    target: 'project',
    words: {
      fact: 'action',
      by: {
        published: '{actor} published widget settings of {target}',
        publish_undone: '{actor} undid the latest widget settings of {target}',
        identity_secret_rotated: '{actor} rotated the identity secret of {target}',
      },
    },
  },
  'connected_app.connected': {
    category: 'integrations',
    target: 'connected_app',
    words: '{actor} connected the app {target} ({after.redirectHost}) with the scopes {after.scopes}',
  },
  'connected_app.disconnected': {
    category: 'integrations',
    target: 'connected_app',
    words: {
      fact: 'cause',
      by: {
        member: '{actor} disconnected the app {target}',
        app: 'The app {target} disconnected itself',
        reuse: 'The app {target} was disconnected, because a secret of it was used twice',
      },
    },
  },
  'api_key.created': { category: 'keys', target: 'api_key', words: '{actor} created the API key {target}' },
  'api_key.regenerated': { category: 'keys', target: 'api_key', words: '{actor} regenerated the API key {target}' },
  'api_key.revoked': { category: 'keys', target: 'api_key', words: '{actor} revoked the API key {target}' },
  'integration.connected': {
    category: 'integrations',
    target: 'integration',
    words: '{actor} connected {target}',
  },
  'integration.updated': {
    category: 'integrations',
    target: 'integration',
    words: '{actor} changed the integration {target}',
  },
  'integration.secret_rotated': {
    category: 'integrations',
    target: 'integration',
    words: '{actor} replaced the signing secret of {target}',
  },
  'integration.disabled': {
    category: 'integrations',
    target: 'integration',
    words: '{actor} disabled the integration {target}',
  },
  'integration.disconnected': {
    category: 'integrations',
    target: 'integration',
    words: '{actor} disconnected {target}',
  },
  'feedback.trash_emptied': {
    category: 'data',
    target: 'organization',
    words: '{actor} permanently deleted items in the trash',
  },
  'feedback.trash_expired': {
    category: 'data',
    target: 'organization',
    words: '{actor} permanently deleted items after 30 days in the trash',
  },
  'export.requested': { category: 'data', target: 'export', words: '{actor} requested an export as {after.format}' },
  'export.completed': { category: 'data', target: 'export', words: '{actor} exported feedback as {after.format}' },
  'import.completed': { category: 'data', target: 'import', words: '{actor} imported feedback from a file' },
  'import.undone': { category: 'data', target: 'import', words: '{actor} undid an import' },
  'visitor.erasure_requested': {
    category: 'data',
    target: 'visitor_erasure',
    words: '{actor} requested the erasure of a visitor',
  },
  'visitor.erased': { category: 'data', target: 'visitor_erasure', words: '{actor} erased a visitor' },
  'account.password_changed': {
    category: 'security',
    target: 'user',
    words: '{actor} changed the password of {target}',
    ownWords: '{actor} changed their password',
  },
  'account.email_changed': {
    category: 'security',
    target: 'user',
    words: '{actor} changed the email address of {target}',
    ownWords: '{actor} changed their email address',
  },
  'account.sessions_ended': {
    category: 'security',
    target: 'user',
    words: {
      fact: 'scope',
      by: {
        one: '{actor} signed out one other device',
        others: '{actor} signed out their other devices',
        all: '{actor} signed out on all devices',
      },
    },
  },
  'account.identity_linked': {
    category: 'security',
    target: 'user',
    words: '{actor} can now sign in with {after.provider}',
  },
  'account.proof_failed': {
    category: 'security',
    target: 'user',
    words: {
      fact: 'proof',
      by: {
        sign_in: 'A sign-in as {target} failed: wrong password',
        password_change: 'A password change of {target} failed: wrong current password',
      },
    },
  },
  'superadmin.entered': {
    category: 'superadmin',
    target: 'user',
    // The member whom the superadmin impersonated.
    words: '{actor} used the organisation as {target}',
    ownWords: '{actor} used the organisation as superadmin',
  },
  'superadmin.billing_changed': {
    category: 'superadmin',
    target: 'organization',
    words: {
      fact: 'act',
      by: {
        plan_changed: '{actor} asked Stripe for the plan {after.plan}, paid by the {after.interval}: {after.reason}',
        plan_granted: '{actor} gave the plan {after.plan} without payment until {after.until}: {after.reason}',
        plan_revoked: '{actor} revoked the plan {after.plan}: {after.reason}',
        trial_extended: '{actor} extended the trial until {after.until}: {after.reason}',
        subscription_cancelled: '{actor} asked Stripe to cancel the subscription {after.until}: {after.reason}',
        payment_refunded: '{actor} asked Stripe to refund {after.amount} of a payment: {after.reason}',
      },
    },
  },
  'superadmin.test_item_removed': {
    category: 'superadmin',
    target: 'organization',
    words: '{actor} permanently deleted a test item as superadmin',
  },
  'audit.exported': {
    category: 'data',
    target: 'organization',
    words: '{actor} exported the audit log as {after.format}',
  },
}

/** Why other events are left out. */
export const unauditedEvents: Partial<Record<EventName, string>> = {
  'organization.deleted': 'Its entries are deleted with it. The entry of the instance is written with the deletion.',
  'trial.started': 'organization.created or subscription.changed holds the change.',
  'trial.expiring': 'A warning: it changes nothing.',
  'trial.ended': 'subscription.changed holds the change.',
  'subscription.started': 'subscription.changed holds the change.',
  'subscription.upgraded': 'subscription.changed holds the change.',
  'subscription.downgraded': 'subscription.changed holds the change.',
  'subscription.cancelled': 'The invoices and the subscription show it; the end is a subscription.changed.',
  'subscription.reactivated': 'The subscription shows it.',
  'payment.succeeded': 'The invoices show it.',
  'payment.failed': 'The invoices show it.',
  'payment.refunded': 'The invoices show it.',
  'plan.limit_near': 'A warning: it changes nothing.',
  'widget.installed': 'A visitor’s page caused it; it changes nothing.',
  'widget.activated': 'project.updated holds the change.',
  'widget.deactivated': 'project.updated holds the change.',
  'feedback.created': 'Daily work: the inbox and the item’s history show it.',
  'feedback.locked': 'The inbox shows it.',
  'feedback.imported': 'import.completed stands for all of its events.',
  'feedback.status_changed': 'Daily work: the item’s history names who, from and to.',
  'feedback.updated': 'Daily work: the item’s history names who, from and to.',
  'feedback.assigned': 'Daily work: the item’s history names who, from and to.',
  'feedback.operation_ended': 'Daily work: the history of each item names the operation.',
  'feedback.commented': 'Daily work: the comment stands at the item.',
  'feedback.replied': 'Daily work: the reply stands at the item.',
  'feedback.reply_delivered': 'The reply shows it.',
  'feedback.answered': 'A visitor caused it.',
  'feedback.files_changed': 'A job of the server: it changes what is shown of a file.',
  'feedback.deleted':
    'One for each batch of up to 500 items. feedback.trash_emptied, feedback.trash_expired, project.retention_applied, project.removed and visitor.erased stand for them.',
  'reply_template.created': 'Content that the team writes, no setting.',
  'reply_template.updated': 'Content that the team writes, no setting.',
  'reply_template.deleted': 'Content that the team writes, no setting.',
  'export.failed': 'No data left the organisation; export.requested names who wanted it.',
  'import.failed': 'The import shows it.',
  'visitor.joined': 'The page of the visitor shows the join, and who did it.',
  'visitor.separated': 'The page of the visitor shows it.',
  'quota.files_full': 'Refuses a file; it changes nothing.',
  'notification.recorded': 'Follows from other events.',
  'notification.preferences_updated': 'A person’s own preference.',
}

/** Words for the facts of entries, as fields of a change. Others are shown by their names. */
export const auditFieldNames: Readonly<Record<string, string>> = {
  name: 'name',
  slug: 'slug',
  logoId: 'logo',
  mailsHoldWords: 'messages in emails',
  deleteAfter: 'end of the grace period',
  scopes: 'scopes',
  expiresAt: 'expires',
  overlapHours: 'hours of overlap',
  replacedBy: 'replaced by',
  domain: 'domain',
  extraOrigins: 'additional domains',
  archived: 'archived',
  retentionDays: 'retention in days',
  emailsOnResolve: 'emails about resolved feedback',
  role: 'role',
  email: 'email address',
  provider: 'provider',
  scope: 'devices',
  proof: 'where',
  format: 'format',
  items: 'items',
  files: 'files',
  count: 'items',
  days: 'retention in days',
  action: 'action',
  fields: 'changed settings',
  operation: 'operation',
  type: 'service',
  reason: 'reason',
  projectId: 'project ID',
  act: 'action',
  until: 'until',
  amount: 'amount',
  payment: 'payment',
  interval: 'interval',
}
