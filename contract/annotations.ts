import Type from 'typebox'
import { Attachment, maxAttachmentBytes } from './files.ts'
import { FeedbackParams } from './params.ts'
import { route } from './route.ts'
import { Uuid } from './text.ts'

/** Annotated pictures of one item. */
export const maxAnnotations = 20

export const addAnnotation = route({
  operationId: 'addAnnotation',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/feedback/{feedbackId}/annotations',
  summary:
    'Attach an annotated copy of a picture to its item (application/octet-stream); safe to repeat with the same id',
  tag: 'feedback',
  params: FeedbackParams,
  query: Type.Object(
    {
      /** Of the new picture, made by the sender, which makes a retry safe. */
      id: Uuid,
      /** The item's picture that was drawn on. It stays as it is. */
      of: Uuid,
    },
    { additionalProperties: false },
  ),
  maxBodyBytes: maxAttachmentBytes.screenshot,
  /** Its content is judged by a job: `processing` until then. */
  replies: { 200: Attachment, 201: Attachment },
  errors: [
    'feedback_not_found',
    'file_not_found',
    'item_in_trash',
    'too_many_annotations',
    'id_reused',
    'file_too_large',
    'unsupported_media_type',
    'file_quota_reached',
    'disk_nearly_full',
  ],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})

export const deleteAnnotation = route({
  operationId: 'deleteAnnotation',
  method: 'DELETE',
  path: '/api/v1/organizations/{organizationId}/feedback/{feedbackId}/annotations/{annotationId}',
  summary: 'Permanently delete an annotated copy of a picture; visitors’ own files are never deleted by it',
  tag: 'feedback',
  params: Type.Object({ ...FeedbackParams.properties, annotationId: Uuid }),
  replies: { 204: Type.Null() },
  errors: ['feedback_not_found'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})
