import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { ProjectParams } from './params.ts'
import { route } from './route.ts'
import { line, Timestamp } from './text.ts'
import { WidgetSettings, widgetLocales } from './widget-settings.ts'

/** A project's widget as its owner works on it. */
export const WidgetConfig = Type.Object({
  widgetKey: Type.String(),
  published: WidgetSettings,
  /** Changes that visitors do not see yet; null: none. */
  draft: nullable(WidgetSettings),
  /** Shows the draft: `/e/{key}.js?draft={token}`. Another one with each change; null without a draft. */
  draftToken: nullable(Type.String()),
  /** When the present settings were published; null: they are as they came. */
  publishedAt: nullable(Timestamp),
  /** Name of the member who published; null: unknown or never published. */
  publishedBy: nullable(Type.String()),
  /** Whether there is an earlier published state to go back to. */
  canUndo: Type.Boolean(),
})
export type WidgetConfig = Static<typeof WidgetConfig>

const path = '/api/v1/organizations/{organizationId}/projects/{projectId}/widget'

export const getWidget = route({
  operationId: 'getWidget',
  method: 'GET',
  path,
  summary: "Read a project's widget: what is published and what is being worked on",
  tag: 'widget',
  params: ProjectParams,
  replies: { 200: WidgetConfig },
  errors: ['project_not_found'],
  access: { kind: 'organization', permission: 'view_projects' },
  rate: 'read',
})

export const saveWidgetDraft = route({
  operationId: 'saveWidgetDraft',
  method: 'PUT',
  path: `${path}/draft`,
  summary: 'Keep settings that visitors do not see yet',
  tag: 'widget',
  params: ProjectParams,
  body: WidgetSettings,
  replies: { 200: WidgetConfig },
  errors: ['project_not_found'],
  access: { kind: 'organization', permission: 'manage_projects' },
  rate: 'write',
})

export const discardWidgetDraft = route({
  operationId: 'discardWidgetDraft',
  method: 'DELETE',
  path: `${path}/draft`,
  summary: 'Drop the draft',
  tag: 'widget',
  params: ProjectParams,
  replies: { 200: WidgetConfig },
  errors: ['project_not_found'],
  access: { kind: 'organization', permission: 'manage_projects' },
  rate: 'write',
})

export const publishWidget = route({
  operationId: 'publishWidget',
  method: 'POST',
  path: `${path}/publish`,
  summary: 'Give the draft to visitors; without one nothing changes',
  tag: 'widget',
  params: ProjectParams,
  body: Type.Object({}, { additionalProperties: false }),
  replies: { 200: WidgetConfig },
  errors: ['project_not_found'],
  access: { kind: 'organization', permission: 'manage_projects' },
  rate: 'write',
})

export const undoWidgetPublish = route({
  operationId: 'undoWidgetPublish',
  method: 'POST',
  path: `${path}/undo`,
  summary: 'Go back to what was published before; what is published now becomes the draft, where there is none',
  tag: 'widget',
  params: ProjectParams,
  body: Type.Object(
    {
      /** The `publishedAt` to take back. When another is published by now, nothing changes: so it is safe to repeat. */
      publishedAt: Type.Optional(nullable(Timestamp)),
    },
    { additionalProperties: false },
  ),
  replies: { 200: WidgetConfig },
  errors: ['project_not_found', 'nothing_to_undo'],
  access: { kind: 'organization', permission: 'manage_projects' },
  rate: 'write',
})

const IdentitySecret = Type.Object({
  /** Key of the HMAC-SHA256 over a visitor's id; belongs on the site's server, never on its pages. */
  secret: Type.String(),
})

export const getIdentitySecret = route({
  operationId: 'getIdentitySecret',
  method: 'GET',
  path: `${path}/identity-secret`,
  summary: "Read the secret by which the site vouches for its visitors' ids",
  tag: 'widget',
  params: ProjectParams,
  replies: { 200: IdentitySecret },
  errors: ['project_not_found'],
  access: { kind: 'organization', permission: 'manage_projects' },
  impersonation: 'refused',
  rate: 'read',
})

export const rotateIdentitySecret = route({
  operationId: 'rotateIdentitySecret',
  method: 'POST',
  path: `${path}/identity-secret/rotate`,
  summary: 'Make a new secret; ids signed with the old one no longer count as verified',
  tag: 'widget',
  params: ProjectParams,
  body: Type.Object({}, { additionalProperties: false }),
  replies: { 200: IdentitySecret },
  errors: ['project_not_found'],
  access: { kind: 'organization', permission: 'manage_projects' },
  impersonation: 'refused',
  rate: 'write',
})

export const getWidgetTexts = route({
  operationId: 'getWidgetTexts',
  method: 'GET',
  path: '/api/v1/widget-texts/{locale}',
  summary: "Read the widget's default texts in one language, by name",
  tag: 'widget',
  params: Type.Object({ locale: Type.Enum([...widgetLocales]) }),
  replies: { 200: Type.Object({ texts: Type.Record(Type.String(), line({ maxLength: 1000 })) }) },
  errors: [],
  access: { kind: 'public' },
  rate: 'read',
})
