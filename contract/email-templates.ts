import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { lines, Timestamp, Uuid } from './text.ts'

/** `all`: what surrounds every email. */
export const emailTemplateGroups = ['all', 'sign_in', 'team', 'feedback', 'billing', 'operation'] as const
export type EmailTemplateGroup = (typeof emailTemplateGroups)[number]

/** `broken`: its stored words can't be used, so that its emails have the default words. */
const emailTemplateStates = ['default', 'customised', 'broken'] as const

/** A subject longer than this is cut off on many phones. */
export const longSubject = 60
const maxWords = 5000
const closed = { additionalProperties: false } as const

/** Text by field, with `{{variable}}`. A blank line begins a paragraph. */
export const EmailWords = Type.Record(Type.String({ maxLength: 50 }), lines({ maxLength: maxWords }), {
  maxProperties: 40,
})
export type EmailWords = Static<typeof EmailWords>

const TemplateId = Type.String({ pattern: '^[a-z][a-z_]{0,49}([.][a-z][a-z_]{0,49})?$', maxLength: 101 })

const WordsProblem = Type.Object({ field: Type.String(), message: Type.String() })
export type WordsProblem = Static<typeof WordsProblem>

const facts = {
  /** The kind of its emails; with a dot and a variant where the words of a kind differ. */
  id: Type.String(),
  group: Type.Enum([...emailTemplateGroups]),
  title: Type.String(),
  /** When it is sent, and to whom. */
  sentence: Type.String(),
  state: Type.Enum([...emailTemplateStates]),
  /** Whether the default words have changed since the words were saved. */
  hasNewDefault: Type.Boolean(),
  /** Whether the Supabase project sends these emails, with words of its own. */
  isSentBySupabase: Type.Boolean(),
  /** Rises by one with each change; 0: never changed. */
  version: Type.Integer({ minimum: 0 }),
  updatedAt: nullable(Timestamp),
  /** Null: never changed. */
  updatedBy: nullable(Type.String()),
}

export const EmailTemplateLine = Type.Object(facts)
export type EmailTemplateLine = Static<typeof EmailTemplateLine>

const EmailTemplateField = Type.Object({
  name: Type.String(),
  label: Type.String(),
  /** When it is shown; null: always. */
  when: nullable(Type.String()),
  form: Type.Enum(['line', 'text']),
  isRequired: Type.Boolean(),
  maxLength: Type.Integer(),
  /** Names of the variables that it may use. */
  variables: Type.Array(Type.String()),
})
export type EmailTemplateField = Static<typeof EmailTemplateField>

const EmailTemplateVariable = Type.Object({
  name: Type.String(),
  meaning: Type.String(),
  /** Its value in the samples; empty: it is empty there. */
  example: Type.String(),
})
export type EmailTemplateVariable = Static<typeof EmailTemplateVariable>

export const EmailTemplate = Type.Object({
  ...facts,
  fields: Type.Array(EmailTemplateField),
  variables: Type.Array(EmailTemplateVariable),
  /** Variables that the text or the small print can’t do without. */
  needs: Type.Array(Type.String()),
  /** As stored, also when they can’t be used; without stored words, the default. */
  words: EmailWords,
  defaultWords: EmailWords,
  /** Default words when the words were saved, if they differ from today’s. */
  formerDefaultWords: nullable(EmailWords),
  /** Why the stored words can’t be used. */
  problems: Type.Array(WordsProblem),
  /** Made-up data to look at the words with, by label. */
  samples: Type.Array(Type.String()),
})
export type EmailTemplate = Static<typeof EmailTemplate>

const superadmin = { tag: 'superadmin', access: { kind: 'superadmin' } } as const
const base = '/api/v1/superadmin/email-templates'
/** Without a pattern: an id of any other form is a template that does not exist, answered with 404. */
const templateId = Type.String({ maxLength: 101 })
const Params = Type.Object({ emailTemplateId: templateId })
const RevisionParams = Type.Object({ emailTemplateId: templateId, emailRevisionId: Uuid })
/** The version that was edited; 0: never changed. */
const Version = Type.Integer({ minimum: 0, maximum: 2_000_000_000 })
/** Which sample: its place in `samples`. */
const Sample = Type.Integer({ minimum: 0, maximum: 20 })

export const listEmailTemplates = route({
  ...superadmin,
  operationId: 'listEmailTemplates',
  method: 'GET',
  path: base,
  summary: 'List the templates of all emails',
  replies: { 200: Type.Object({ items: Type.Array(EmailTemplateLine) }) },
  errors: [],
  rate: 'read',
})

export const getEmailTemplate = route({
  ...superadmin,
  operationId: 'getEmailTemplate',
  method: 'GET',
  path: `${base}/{emailTemplateId}`,
  summary: 'Read a template with its words, default words, fields and variables',
  params: Params,
  replies: { 200: EmailTemplate },
  errors: ['email_template_not_found'],
  rate: 'read',
})

export const saveEmailTemplate = route({
  ...superadmin,
  operationId: 'saveEmailTemplate',
  method: 'PUT',
  path: `${base}/{emailTemplateId}`,
  summary: 'Save the words of a template; sent again, the same save is meant. Default words reset it',
  params: Params,
  body: Type.Object({ version: Version, words: EmailWords }, closed),
  replies: { 200: EmailTemplate },
  errors: ['email_template_not_found', 'edit_conflict'],
  rate: 'write',
})

export const resetEmailTemplate = route({
  ...superadmin,
  operationId: 'resetEmailTemplate',
  method: 'POST',
  path: `${base}/{emailTemplateId}/reset`,
  summary: 'Give a template its default words again; its saved versions are kept',
  params: Params,
  body: Type.Object({ version: Version }, closed),
  replies: { 200: EmailTemplate },
  errors: ['email_template_not_found', 'edit_conflict'],
  rate: 'write',
})

export const EmailPreview = Type.Object({
  /** Null: the words have problems. */
  mail: nullable(
    Type.Object({ subject: Type.String(), preview: Type.String(), html: Type.String(), text: Type.String() }),
  ),
  problems: Type.Array(WordsProblem),
  /** Allowed words that are perhaps not meant. */
  hints: Type.Array(WordsProblem),
})
export type EmailPreview = Static<typeof EmailPreview>

export const previewEmailTemplate = route({
  ...superadmin,
  operationId: 'previewEmailTemplate',
  method: 'POST',
  path: `${base}/{emailTemplateId}/previews`,
  summary: 'Render words as an email with made-up data, or say what is wrong with them',
  params: Params,
  body: Type.Object({ words: EmailWords, sample: Sample }, closed),
  replies: { 200: EmailPreview },
  errors: ['email_template_not_found'],
  rate: 'read',
})

export const testEmailTemplate = route({
  ...superadmin,
  operationId: 'testEmailTemplate',
  method: 'POST',
  path: `${base}/{emailTemplateId}/tests`,
  summary: 'Send words as an email with made-up data to the caller’s own address, once in 10 seconds',
  params: Params,
  body: Type.Object({ words: EmailWords, sample: Sample }, closed),
  replies: { 202: Type.Object({ emailId: Uuid, to: Type.String() }) },
  errors: ['email_template_not_found', 'rate_limited'],
  rate: 'write',
})

/** One save of a template. */
export const EmailTemplateRevision = Type.Object({
  id: Uuid,
  /** Of the template, which this save made. */
  version: Type.Integer(),
  /** Whether it gave the template its default words again. */
  isReset: Type.Boolean(),
  savedAt: Timestamp,
  savedBy: nullable(Type.String()),
})
export type EmailTemplateRevision = Static<typeof EmailTemplateRevision>

export const listEmailTemplateRevisions = route({
  ...superadmin,
  operationId: 'listEmailTemplateRevisions',
  method: 'GET',
  path: `${base}/{emailTemplateId}/revisions`,
  summary: 'List saved versions of a template, latest first',
  params: Params,
  query: Type.Object(
    {
      /** The version that the list begins below. */
      before: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_000_000_000 })),
    },
    closed,
  ),
  replies: { 200: Type.Object({ items: Type.Array(EmailTemplateRevision), nextBefore: nullable(Type.Integer()) }) },
  errors: ['email_template_not_found'],
  rate: 'read',
})

export const getEmailTemplateRevision = route({
  ...superadmin,
  operationId: 'getEmailTemplateRevision',
  method: 'GET',
  path: `${base}/{emailTemplateId}/revisions/{emailRevisionId}`,
  summary: 'Read the words of a saved version; of a reset, the default words',
  params: RevisionParams,
  replies: { 200: Type.Object({ words: EmailWords }) },
  errors: ['email_template_not_found'],
  rate: 'read',
})

export const restoreEmailTemplateRevision = route({
  ...superadmin,
  operationId: 'restoreEmailTemplateRevision',
  method: 'POST',
  path: `${base}/{emailTemplateId}/revisions/{emailRevisionId}/restoration`,
  summary: 'Save an earlier version of a template as its latest',
  params: RevisionParams,
  body: Type.Object({ version: Version }, closed),
  replies: { 200: EmailTemplate },
  errors: ['email_template_not_found', 'edit_conflict'],
  rate: 'write',
})

const Templates = Type.Record(TemplateId, EmailWords, { ...closed, maxProperties: 200 })

/** Changed words of all templates, as another instance can import them. */
const EmailTemplateFile = Type.Object({
  format: Type.Literal('earshot-email-templates'),
  formatVersion: Type.Literal(1),
  exportedAt: Timestamp,
  templates: Templates,
})

export const exportEmailTemplates = route({
  ...superadmin,
  operationId: 'exportEmailTemplates',
  method: 'GET',
  path: `${base}/export`,
  summary: 'Download all changed words as JSON',
  replies: { 200: EmailTemplateFile },
  errors: [],
  rate: 'read',
})

const ImportChange = Type.Object({
  id: Type.String(),
  title: Type.String(),
  /** `new`: it has its default words now. `same`: nothing would change. */
  change: Type.Enum(['new', 'changed', 'same']),
  version: Version,
  before: EmailWords,
  after: EmailWords,
})
export type ImportChange = Static<typeof ImportChange>

export const importEmailTemplates = route({
  ...superadmin,
  operationId: 'importEmailTemplates',
  method: 'POST',
  path: `${base}/import`,
  summary: 'Save exported words of several templates: all of them, or none; or say what would change',
  body: Type.Object(
    {
      /** True: nothing is written. */
      isDryRun: Type.Boolean(),
      templates: Templates,
      /** By template, as the dry run told: a template that has changed since refuses the import. */
      versions: Type.Optional(Type.Record(TemplateId, Version, { ...closed, maxProperties: 200 })),
    },
    closed,
  ),
  replies: { 200: Type.Object({ changes: Type.Array(ImportChange) }) },
  errors: ['edit_conflict'],
  rate: 'write',
})
