import Type, { type Static } from 'typebox'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

/** An address that a team keeps at hand. */
export const Bookmark = Type.Object({ id: Uuid, title: Type.String(), url: Type.String(), createdAt: Timestamp })
export type Bookmark = Static<typeof Bookmark>

/** The id is made by the sender, which makes a retry safe. */
export const NewBookmark = Type.Object(
  { id: Uuid, title: line({ minLength: 1, maxLength: 80 }), url: line({ minLength: 1, maxLength: 2000 }) },
  { additionalProperties: false },
)
export type NewBookmark = Static<typeof NewBookmark>

export const listBookmarks = route({
  operationId: 'listBookmarks',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/bookmarks',
  summary: 'List the bookmarks, newest first',
  tag: 'organizations',
  params: OrganizationParams,
  replies: { 200: Type.Object({ items: Type.Array(Bookmark) }) },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

export const createBookmark = route({
  operationId: 'createBookmark',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/bookmarks',
  summary: 'Keep an address; safe to repeat with the same id',
  tag: 'organizations',
  params: OrganizationParams,
  body: NewBookmark,
  replies: { 201: Bookmark },
  errors: ['id_reused'],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'write',
})

export const deleteBookmark = route({
  operationId: 'deleteBookmark',
  method: 'DELETE',
  path: '/api/v1/organizations/{organizationId}/bookmarks/{bookmarkId}',
  summary: 'Delete a bookmark',
  tag: 'organizations',
  params: Type.Object({ organizationId: Uuid, bookmarkId: Uuid }),
  replies: { 204: Type.Null() },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'write',
})
