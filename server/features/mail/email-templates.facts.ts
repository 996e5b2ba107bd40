import type { Facts } from '#server/testing/facts.ts'

const templateId = 'magic_link'
const revisionId = '0190c0de-0000-7000-8000-0000000e7e02'
const addedId = '0190c0de-0000-7000-8000-0000000e7e03'
const words = `'{"title": "Made"}'`
const makeTemplate = `insert into app.email_templates (id, version, words, default_words)
  values ('${templateId}', 1, ${words}, '{}') on conflict (id) do update set version = 1, words = excluded.words,
    default_words = excluded.default_words`
const makeRevision = `${makeTemplate};
  insert into app.email_template_revisions (id, template_id, version, words)
  values ('${revisionId}', '${templateId}', 1, ${words}) on conflict do nothing`
/** The template of the tests over all routes, as they begin with it. */
const renew = () => `delete from app.email_templates; delete from app.email_pauses; ${makeRevision}`
const title = (tag: string) => ({ title: `Sign in ${tag}` })

export const facts: Facts = {
  migrations: {
    '0054_email_templates.sql': '055a2e81f63d2ab71f531bfe1a7fa2784ff4190e3b0803f6e67a0036604c84fa',
  },
  tables: {
    'app.email_templates': {
      rights: ['----', '----', '----', '----', 'siud'],
      make: () => makeTemplate,
      row: () => `id = '${templateId}'`,
      change: 'updated_at = now()',
      add: () => `(id, version) values ('added', 1)`,
    },
    'app.email_template_revisions': {
      rights: ['----', '----', '----', '----', 'siud'],
      make: () => makeRevision,
      row: () => `id = '${revisionId}'`,
      change: 'saved_at = now()',
      add: () => `(id, template_id, version) values ('${addedId}', '${templateId}', 77)`,
    },
  },
  ids: {
    emailTemplateId: { table: 'app.email_templates' },
    emailRevisionId: { table: 'app.email_template_revisions' },
  },
  routes: {
    getEmailTemplate: { renew },
    listEmailTemplateRevisions: { renew },
    getEmailTemplateRevision: { renew },
    saveEmailTemplate: { renew, body: ({ tag }) => ({ version: 1, words: title(tag) }) },
    resetEmailTemplate: { renew, body: () => ({ version: 1 }) },
    restoreEmailTemplateRevision: { renew, body: () => ({ version: 1 }) },
    previewEmailTemplate: { renew, body: ({ tag }) => ({ words: title(tag), sample: 0 }) },
    testEmailTemplate: { renew, body: ({ tag }) => ({ words: title(tag), sample: 0 }) },
    importEmailTemplates: {
      renew,
      body: ({ tag }) => ({ isDryRun: false, templates: { [templateId]: title(tag) } }),
      fullBody: ({ tag }) => ({
        isDryRun: true,
        templates: { [templateId]: title(tag) },
        versions: { [templateId]: 1 },
      }),
    },
  },
  functions: { 'app.on_email_template_changed()': [] },
}
