import Type from 'typebox'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { Uuid } from './text.ts'

export const emptyTrash = route({
  operationId: 'emptyTrash',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/feedback/trash/empty',
  summary: 'Permanently delete the trash: all of it, or the given items',
  tag: 'feedback',
  params: OrganizationParams,
  /** Items that do not lie in the trash are left as they are. */
  body: Type.Object(
    { ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 500 })) },
    { additionalProperties: false },
  ),
  replies: {
    200: Type.Object({
      removed: Type.Integer(),
      /** False: there is so much that the rest follows within minutes. */
      isComplete: Type.Boolean(),
    }),
  },
  errors: [],
  access: { kind: 'organization', permission: 'delete_feedback' },
  rate: 'write',
})
