import Type, { type Static } from 'typebox'

/**
 * Every error of the product's own API: code → status and title. Screens show the titles unchanged, so a title names
 * what happened and, where possible, the next step.
 */
export const errors = {
  validation_failed: { status: 400, title: 'Some values are not valid.' },
  malformed_json: { status: 400, title: 'The request body is not valid JSON.' },
  malformed_request: { status: 400, title: 'Couldn’t read the request.' },
  unauthenticated: { status: 401, title: 'Please sign in.' },
  token_expired: { status: 401, title: 'Your session has expired. Please sign in again.' },
  connection_required: {
    status: 401,
    title: 'Connect this client with OAuth, or send an API key in the header “Authorization: Bearer es_…”.',
  },
  connection_ended: { status: 401, title: 'This connection was revoked or has expired. Connect again.' },
  connection_request_invalid: {
    status: 400,
    title: 'This app can’t be connected. Start again from the app.',
  },
  github_app_state_invalid: {
    status: 400,
    title: 'This link was used, has expired or belongs to another session. Start again.',
  },
  api_key_required: { status: 401, title: 'Send an API key in the header “Authorization: Bearer es_…”.' },
  api_key_invalid: { status: 401, title: 'This API key is unknown. Check that you copied all of it.' },
  api_key_revoked: { status: 401, title: 'This API key was revoked. Use another one.' },
  api_key_expired: { status: 401, title: 'This API key has expired. Create another one.' },
  plan_required: {
    status: 402,
    title: 'Your trial or plan has ended. Choose a plan to continue.',
  },
  plan_limit_reached: { status: 402, title: 'Your plan has reached its limit. Choose a larger plan.' },
  payment_failed: {
    status: 402,
    title: 'The payment failed, and nothing was changed. Update the payment method, then try again.',
  },
  scope_missing: { status: 403, title: 'This API key lacks the scope for this call.' },
  email_not_verified: { status: 403, title: 'Please verify your email first.' },
  identity_proof_required: {
    status: 403,
    title: 'Confirm that it’s you: enter your password, or the code from an email.',
  },
  hook_signature_invalid: { status: 401, title: 'The signature of this call is missing or wrong.' },
  user_banned: { status: 403, title: 'This account has been suspended. Please contact support.' },
  permission_denied: { status: 403, title: "You don't have permission to do this." },
  invitation_for_other_address: { status: 403, title: 'This invitation is for another email address.' },
  origin_not_allowed: { status: 403, title: 'This website is not allowed to send to this project.' },
  route_not_found: { status: 404, title: 'Not found.' },
  organization_not_found: { status: 404, title: 'Organisation not found.' },
  link_not_found: { status: 404, title: 'This link leads to none of your organisations.' },
  deletion_not_found: { status: 404, title: 'This organisation is not being deleted.' },
  session_not_found: { status: 404, title: 'This device is already signed out.' },
  invitation_not_found: { status: 404, title: 'Invitation not found.' },
  message_not_found: { status: 404, title: 'Message not found.' },
  guide_not_found: { status: 404, title: 'Guide not found.' },
  post_not_found: { status: 404, title: 'Post not found.' },
  plan_not_found: { status: 404, title: 'Plan not found.' },
  granted_plan_not_found: { status: 404, title: 'This organisation has no plan that was given without payment.' },
  payment_not_found: { status: 404, title: 'Payment not found.' },
  figure_not_found: { status: 404, title: 'No figure has this name.' },
  job_not_found: { status: 404, title: 'This job is no longer among the failed ones.' },
  coupon_not_found: { status: 404, title: 'Coupon not found.' },
  project_not_found: { status: 404, title: 'Project not found.' },
  connected_app_not_found: { status: 404, title: 'Connected app not found.' },
  api_key_not_found: { status: 404, title: 'API key not found.' },
  integration_not_found: { status: 404, title: 'Integration not found.' },
  github_app_not_found: { status: 404, title: 'This GitHub App is not being connected. Start again.' },
  link_unknown: { status: 404, title: 'This item is not linked to that issue.' },
  delivery_not_found: { status: 404, title: 'Delivery not found.' },
  widget_not_found: { status: 404, title: 'Unknown widget key.' },
  member_not_found: { status: 404, title: 'This person is not a member of the organisation.' },
  operation_not_found: { status: 404, title: 'Change not found.' },
  view_not_found: { status: 404, title: 'This view was deleted.' },
  template_not_found: { status: 404, title: 'This template was deleted.' },
  visitor_not_found: { status: 404, title: 'Visitor not found.' },
  erasure_not_found: { status: 404, title: 'Erasure not found.' },
  feedback_not_found: { status: 404, title: 'Feedback not found.' },
  subscription_not_found: { status: 404, title: 'This link has expired.' },
  conversation_not_found: { status: 404, title: 'Conversation not found.' },
  upload_not_found: { status: 404, title: 'Upload not found.' },
  export_not_found: { status: 404, title: 'This export was deleted or has expired.' },
  import_not_found: { status: 404, title: 'This import was deleted or has expired.' },
  file_not_found: { status: 404, title: 'File not found, or its link has expired.' },
  organization_closed: {
    status: 410,
    title: 'This organisation is closed and will be deleted. Until then, an owner can restore it.',
  },
  project_archived: { status: 410, title: 'This website doesn’t accept feedback at the moment.' },
  method_not_allowed: { status: 405, title: 'This address doesn’t support that method.' },
  project_domain_taken: { status: 409, title: 'Another project in this organisation already uses this domain.' },
  post_slug_taken: { status: 409, title: 'Another post already uses this slug. Enter another one.' },
  post_published: {
    status: 409,
    title: 'This post is published, so it isn’t saved automatically. Save it to update the public page.',
  },
  plan_key_taken: { status: 409, title: 'Another plan already uses this key. Enter another one.' },
  payments_not_configured: { status: 409, title: 'This instance takes no payments. Configure Stripe first.' },
  coupon_code_taken: { status: 409, title: 'Another active coupon already uses this code. Enter another one.' },
  organization_unlimited: { status: 409, title: 'This organisation has no limits, so it needs no plan.' },
  trial_not_extendable: {
    status: 409,
    title: 'Only an organisation that never had a plan can have a longer trial. Give it a plan instead.',
  },
  already_subscribed: {
    status: 409,
    title: 'Your organisation has a plan already. Change it in the billing settings.',
  },
  not_subscribed: { status: 409, title: 'Your organisation has no plan that could be changed. Choose one first.' },
  withdrawal_not_possible: {
    status: 409,
    title: 'The time to withdraw from the contract is over. You can cancel the plan instead.',
  },
  already_member: { status: 409, title: 'This person is already a member.' },
  last_owner: {
    status: 409,
    title: 'You are the only owner of an organisation with other members. Make another member an owner first.',
  },
  owner_required: {
    status: 409,
    title: 'An organisation needs at least one owner. Make another member an owner first.',
  },
  slug_taken: { status: 409, title: 'Another organisation already uses this slug. Enter another one.' },
  import_busy: { status: 409, title: 'This import is at another step. Reload to see its progress.' },
  nothing_to_undo: { status: 409, title: 'Nothing to undo.' },
  item_in_trash: { status: 409, title: 'This item is in the trash. Restore it first.' },
  too_many_views: { status: 409, title: 'You have reached the limit of 100 saved views. Delete one to save another.' },
  too_many_templates: {
    status: 409,
    title: 'You have reached the limit of 200 reply templates. Delete one to add another.',
  },
  too_many_annotations: {
    status: 409,
    title: 'This item has reached the limit of 20 annotated pictures. Delete one to add another.',
  },
  too_many_api_keys: { status: 409, title: 'This project has 50 API keys. Revoke one to create another.' },
  too_many_integrations: {
    status: 409,
    title: 'You have reached the limit of 50 integrations. Disconnect one to connect another.',
  },
  already_linked: { status: 409, title: 'This item is linked to an issue of that integration already.' },
  integration_not_active: { status: 409, title: 'This integration is paused or disabled. Enable it first.' },
  integration_unreadable: {
    status: 409,
    title: 'Earshot can’t read the credentials of this integration any more. Enter them again.',
  },
  integration_unsigned: { status: 409, title: 'Deliveries of this integration are not signed.' },
  api_key_ended: { status: 409, title: 'This API key was revoked, regenerated or has expired. Create another one.' },
  request_in_progress: {
    status: 409,
    title: 'A request with this idempotency key is still running. Try again in a moment.',
  },
  edit_conflict: { status: 409, title: 'Someone else changed this first. Check their change, then try again.' },
  upload_offset_conflict: {
    status: 409,
    title: 'The server expects another part of this file. Request the current offset.',
  },
  upload_claimed: { status: 409, title: 'This file already belongs to submitted feedback.' },
  invitation_ended: { status: 410, title: 'This invitation was accepted, withdrawn or has expired.' },
  precondition_failed: { status: 412, title: 'This has changed since you read it. Read it again, then retry.' },
  body_too_large: { status: 413, title: 'The request is too large.' },
  file_too_large: { status: 413, title: 'This file is too large.' },
  uri_too_long: { status: 414, title: 'The address is too long.' },
  range_not_satisfiable: { status: 416, title: 'The requested range is outside the file.' },
  unsupported_media_type: { status: 415, title: 'Send the request body as application/json.' },
  confirmation_differs: { status: 422, title: 'The confirmation doesn’t match this visitor.' },
  id_reused: { status: 422, title: 'This id was already used for something else.' },
  idempotency_key_reused: { status: 422, title: 'This idempotency key was already used for another request.' },
  integration_refused: { status: 422, title: 'The service refused the connection.' },
  promotion_code_invalid: { status: 422, title: 'This promotion code is unknown, has expired or does not apply.' },
  import_file_unreadable: { status: 422, title: 'Couldn’t read this file.' },
  upload_locked: { status: 423, title: 'This file is being uploaded. Please try again.' },
  proof_required: { status: 428, title: 'Your device needs to complete a short check first.' },
  too_many_organizations: {
    status: 429,
    title: 'You can create 10 organisations a day. Try again tomorrow.',
  },
  too_many_exports: {
    status: 429,
    title: 'Three exports are already running. Wait for one to finish, or cancel one.',
  },
  too_many_imports: { status: 429, title: 'Three imports are already running. Wait for one to finish, or cancel one.' },
  too_many_streams: { status: 429, title: 'Live updates are open in too many tabs. Close some of them.' },
  rate_limited: { status: 429, title: 'Too many requests. Please wait a moment and try again.' },
  export_quota_reached: {
    status: 507,
    title: 'The exports of your organisation have reached their limit. Delete one.',
  },
  import_quota_reached: {
    status: 507,
    title: 'Too many imported files are waiting. Finish or cancel an import first.',
  },
  file_quota_reached: { status: 507, title: 'There is no room for more files. Your text is kept.' },
  disk_nearly_full: { status: 507, title: 'The server is low on disk space. Please try again later.' },
  internal_error: { status: 500, title: 'Something went wrong on our side. Please try again.' },
  payments_unavailable: {
    status: 503,
    title: 'The payment provider doesn’t answer. Try again in a few minutes.',
  },
  unavailable: { status: 503, title: 'The service is busy or starting. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof errors

/** One refused value. `path` names the field as the caller sent it, e.g. `body.page.url`. */
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
  /** With `proof_required`: the challenge to solve. */
  challenge: Type.Optional(Type.String()),
  difficulty: Type.Optional(Type.Integer()),
})
export type Problem = Static<typeof Problem>
