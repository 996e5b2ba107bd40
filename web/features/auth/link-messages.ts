import { describeAuthError } from '#web/lib/auth-errors.ts'
import { type ToastOptions, toastDurationsMs } from '#web/ui/toast.tsx'

/** The error in the URL of a redirect from an emailed link or a provider. */
export interface LinkError {
  readonly code: string
  readonly description: string
  /** The link's purpose, if it names one. */
  readonly purpose?: string
}

/** Reads the error of a URL from the query or the fragment; the query wins, as with the auth client. */
export function findLinkError(location: { search: string; hash: string }): LinkError | undefined {
  const query = new URLSearchParams(location.search)
  const fragment = new URLSearchParams(location.hash.replace(/^#/, ''))
  for (const params of [query, fragment]) {
    const code = params.get('error_code') ?? params.get('error')
    const purpose = query.get('type') ?? fragment.get('type')
    if (code) return { code, description: params.get('error_description') ?? '', ...(purpose !== null && { purpose }) }
  }
  return undefined
}

/** Such an error as a fragment, for the screen that shows it. Starts with `#`. */
export function buildErrorHash({ code, description, purpose }: LinkError): string {
  return `#${new URLSearchParams({
    error_code: code,
    ...(description !== '' && { error_description: description }),
    ...(purpose !== undefined && { type: purpose }),
  })}`
}

/** The toast for such an error. */
export function describeLinkError(error: LinkError, onResend?: () => void): ToastOptions {
  const description = describeAuthError({ code: error.code, message: error.description })
  if (error.code === 'otp_expired') {
    return {
      title: 'Email Link Expired',
      description,
      tone: 'danger',
      durationMs: toastDurationsMs.long,
      ...(onResend && { action: { label: 'Resend Email', onPress: onResend } }),
    }
  }
  return { title: 'Authentication Error', description, tone: 'danger', durationMs: toastDurationsMs.medium }
}

/** The toast for `confirmed=true` or `success=true` in the query, with its optional message. */
export function findLinkSuccess(search: string): ToastOptions | undefined {
  const query = new URLSearchParams(search)
  const message = query.get('message') ?? ''
  const title =
    query.get('confirmed') === 'true' ? 'Email Confirmed' : query.get('success') === 'true' ? 'Success' : undefined
  if (title === undefined) return undefined
  return { title, tone: 'success', ...(message !== '' && { description: message }) }
}

const spokenNames = ['confirmed', 'success', 'message', 'error', 'error_code', 'error_description', 'sb']

/** The query without what has been shown. Starts with `?` unless empty. */
export function removeSpoken(search: string): string {
  const query = new URLSearchParams(search)
  for (const name of spokenNames) query.delete(name)
  return query.size > 0 ? `?${query}` : ''
}
