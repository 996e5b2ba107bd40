import Type, { type Static } from 'typebox'
import { maxCommentLength } from './conversation.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { line, lines, Timestamp, Uuid } from './text.ts'

const TemplateParams = Type.Object({ organizationId: Uuid, templateId: Uuid })

/** What a template may name in double braces; the app fills it in when the template is inserted. */
export const placeholders = ['visitor.name', 'item.number', 'project.name', 'member.name'] as const
export type Placeholder = (typeof placeholders)[number]

/** A reply that the team writes often. */
export const ReplyTemplate = Type.Object({
  id: Uuid,
  name: Type.String(),
  /** With placeholders such as `{{visitor.name}}`; any others stay as they are. */
  text: Type.String(),
  createdAt: Timestamp,
})
export type ReplyTemplate = Static<typeof ReplyTemplate>

const templateFields = {
  name: line({ minLength: 1, maxLength: 60 }),
  text: lines({ minLength: 1, maxLength: maxCommentLength }),
}

/** The id is made by the sender, which makes a retry safe. */
export const NewReplyTemplate = Type.Object({ id: Uuid, ...templateFields }, { additionalProperties: false })
export type NewReplyTemplate = Static<typeof NewReplyTemplate>

export const ReplyTemplateChange = Type.Partial(Type.Object(templateFields), {
  additionalProperties: false,
  minProperties: 1,
})
export type ReplyTemplateChange = Static<typeof ReplyTemplateChange>

export const listReplyTemplates = route({
  operationId: 'listReplyTemplates',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/reply-templates',
  summary: 'List the team’s reply templates, by name',
  tag: 'feedback',
  params: OrganizationParams,
  replies: { 200: Type.Object({ items: Type.Array(ReplyTemplate) }) },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

export const createReplyTemplate = route({
  operationId: 'createReplyTemplate',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/reply-templates',
  summary: 'Add a reply template for the whole team; safe to repeat with the same id',
  tag: 'feedback',
  params: OrganizationParams,
  body: NewReplyTemplate,
  replies: { 200: ReplyTemplate, 201: ReplyTemplate },
  errors: ['id_reused', 'too_many_templates'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})

export const updateReplyTemplate = route({
  operationId: 'updateReplyTemplate',
  method: 'PATCH',
  path: '/api/v1/organizations/{organizationId}/reply-templates/{templateId}',
  summary: 'Change a reply template',
  tag: 'feedback',
  params: TemplateParams,
  body: ReplyTemplateChange,
  replies: { 200: ReplyTemplate },
  errors: ['template_not_found'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})

export const deleteReplyTemplate = route({
  operationId: 'deleteReplyTemplate',
  method: 'DELETE',
  path: '/api/v1/organizations/{organizationId}/reply-templates/{templateId}',
  summary: 'Delete a reply template',
  tag: 'feedback',
  params: TemplateParams,
  replies: { 204: Type.Null() },
  errors: ['template_not_found'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})
