import Type, { type Static } from 'typebox'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

const ViewParams = Type.Object({ organizationId: Uuid, viewId: Uuid })

/** A state of the inbox with a name. */
export const SavedView = Type.Object({
  id: Uuid,
  name: Type.String(),
  /** The part of the inbox's address after the question mark. */
  search: Type.String(),
  /** Shown to the whole team; otherwise only to who saved it. */
  isShared: Type.Boolean(),
  isOwn: Type.Boolean(),
  createdAt: Timestamp,
})
export type SavedView = Static<typeof SavedView>

const viewFields = {
  name: line({ minLength: 1, maxLength: 60 }),
  search: line({ maxLength: 2000 }),
  isShared: Type.Boolean(),
}

/** The id is made by the sender, which makes a retry safe. */
export const NewSavedView = Type.Object({ id: Uuid, ...viewFields }, { additionalProperties: false })
export type NewSavedView = Static<typeof NewSavedView>

export const SavedViewChange = Type.Partial(Type.Object(viewFields), { additionalProperties: false, minProperties: 1 })
export type SavedViewChange = Static<typeof SavedViewChange>

export const listSavedViews = route({
  operationId: 'listSavedViews',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/views',
  summary: 'List your own saved views and those shared with the team, by name',
  tag: 'feedback',
  params: OrganizationParams,
  replies: { 200: Type.Object({ items: Type.Array(SavedView) }) },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

export const createSavedView = route({
  operationId: 'createSavedView',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/views',
  summary: 'Save a state of the inbox under a name; safe to repeat with the same id',
  tag: 'feedback',
  params: OrganizationParams,
  body: NewSavedView,
  replies: { 200: SavedView, 201: SavedView },
  errors: ['id_reused', 'too_many_views'],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'write',
})

export const updateSavedView = route({
  operationId: 'updateSavedView',
  method: 'PATCH',
  path: '/api/v1/organizations/{organizationId}/views/{viewId}',
  summary: 'Change a saved view: your own, or one that is shared',
  tag: 'feedback',
  params: ViewParams,
  body: SavedViewChange,
  replies: { 200: SavedView },
  errors: ['view_not_found', 'permission_denied'],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'write',
})

export const deleteSavedView = route({
  operationId: 'deleteSavedView',
  method: 'DELETE',
  path: '/api/v1/organizations/{organizationId}/views/{viewId}',
  summary: 'Delete a saved view: your own, or one that is shared',
  tag: 'feedback',
  params: ViewParams,
  replies: { 204: Type.Null() },
  errors: ['view_not_found'],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'write',
})
