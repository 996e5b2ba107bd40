import Type, { type Static } from 'typebox'

/**
 * Every error a caller of the product's own API can get: code → status and title. The titles are shown to people as
 * they are, so they say what happened and, where there is something to do, what to do.
 */
export const errors = {
  validation_failed: { status: 400, title: 'Some of the values sent are not valid.' },
  malformed_json: { status: 400, title: 'The request body is not valid JSON.' },
  malformed_request: { status: 400, title: 'The request could not be read.' },
  unauthenticated: { status: 401, title: 'Please sign in.' },
  token_expired: { status: 401, title: 'Your session has expired. Please sign in again.' },
  email_not_verified: { status: 403, title: 'Please verify your email first.' },
  user_banned: { status: 403, title: 'This account has been suspended. Please contact support.' },
  permission_denied: { status: 403, title: "You don't have permission to do this." },
  invitation_for_other_address: { status: 403, title: 'This invitation is for another email address.' },
  origin_not_allowed: { status: 403, title: 'This website is not allowed to send to this project.' },
  route_not_found: { status: 404, title: 'There is nothing at this address.' },
  organization_not_found: { status: 404, title: 'Organisation not found.' },
  session_not_found: { status: 404, title: 'This device is not signed in any more.' },
  invitation_not_found: { status: 404, title: 'Invitation not found.' },
  project_not_found: { status: 404, title: 'Project not found.' },
  widget_not_found: { status: 404, title: 'Unknown widget key.' },
  member_not_found: { status: 404, title: 'This person is not a member of the organisation.' },
  operation_not_found: { status: 404, title: 'There is no such change.' },
  view_not_found: { status: 404, title: 'This view was deleted.' },
  visitor_not_found: { status: 404, title: 'Nothing is known of this visitor.' },
  erasure_not_found: { status: 404, title: 'There is no such erasure.' },
  feedback_not_found: { status: 404, title: 'Feedback not found.' },
  subscription_not_found: { status: 404, title: 'This link belongs to nobody’s mails any more.' },
  conversation_not_found: { status: 404, title: 'This conversation is not here.' },
  upload_not_found: { status: 404, title: 'There is no such upload.' },
  export_not_found: { status: 404, title: 'This export was deleted, or its time is over.' },
  import_not_found: { status: 404, title: 'This import was deleted, or its time is over.' },
  file_not_found: { status: 404, title: 'There is no such file, or its address has expired.' },
  project_archived: { status: 410, title: 'This website does not take feedback at the moment.' },
  method_not_allowed: { status: 405, title: 'This address does not support that method.' },
  project_domain_taken: { status: 409, title: 'Another project of this organisation already has this domain.' },
  already_member: { status: 409, title: 'This person is a member already.' },
  last_owner: {
    status: 409,
    title: 'You are the only owner of an organisation with other members. Make somebody else an owner first.',
  },
  import_busy: { status: 409, title: 'This import is at another step. Reload to see how far it is.' },
  nothing_to_undo: { status: 409, title: 'There is nothing to go back to.' },
  item_in_trash: { status: 409, title: 'The item is in the trash. Take it out first.' },
  too_many_views: { status: 409, title: 'You have saved 100 views, which is the limit. Delete one to save another.' },
  edit_conflict: { status: 409, title: 'Somebody else changed this in the meantime.' },
  upload_offset_conflict: { status: 409, title: 'Another part of this file is expected. Ask how much has arrived.' },
  upload_claimed: { status: 409, title: 'This file belongs to feedback that was sent already.' },
  invitation_ended: { status: 410, title: 'This invitation was accepted, withdrawn or has expired.' },
  body_too_large: { status: 413, title: 'The request is too large.' },
  file_too_large: { status: 413, title: 'This file is too large.' },
  uri_too_long: { status: 414, title: 'The address is too long.' },
  range_not_satisfiable: { status: 416, title: 'The file has no such part.' },
  unsupported_media_type: { status: 415, title: 'Send the request body as application/json.' },
  confirmation_differs: { status: 422, title: 'What was typed is not who is to be erased.' },
  id_reused: { status: 422, title: 'This id was already used for something else.' },
  import_file_unreadable: { status: 422, title: 'This file could not be read.' },
  upload_locked: { status: 423, title: 'This file is being sent at the moment. Please try again.' },
  proof_required: { status: 428, title: 'Please let your device do a small calculation first.' },
  too_many_exports: {
    status: 429,
    title: 'Three exports are being written already. Wait for one to end, or cancel one.',
  },
  too_many_imports: { status: 429, title: 'Three imports are running already. Wait for one to end, or cancel one.' },
  rate_limited: { status: 429, title: 'Too many requests. Please wait a moment and try again.' },
  internal_error: { status: 500, title: 'Something went wrong on our side. Please try again.' },
  unavailable: { status: 503, title: 'The service is busy or starting. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof errors

/** One value that was refused. `path` names the field as the caller sent it, e.g. `body.page.url`. */
export const ProblemField = Type.Object({ path: Type.String(), message: Type.String() })
export type ProblemField = Static<typeof ProblemField>

/** RFC 9457 problem details, with the product's own members `code`, `fields` and `requestId`. */
export const Problem = Type.Object({
  code: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.Optional(Type.String()),
  fields: Type.Optional(Type.Array(ProblemField)),
  requestId: Type.String(),
  /** With `proof_required`: what to solve. */
  challenge: Type.Optional(Type.String()),
  difficulty: Type.Optional(Type.Integer()),
})
export type Problem = Static<typeof Problem>
