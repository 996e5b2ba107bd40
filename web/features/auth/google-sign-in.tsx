import { useEffect, useState } from 'react'
import { loadAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError, flagGoogleFailure } from '#web/lib/auth-errors.ts'
import { useConfig } from '#web/lib/config.tsx'
import { useHydrated } from '#web/lib/hydrated.ts'
import { buildCallbackUrl } from '#web/lib/redirect.ts'
import { Button } from '#web/ui/button.tsx'
import { resumeGoogleAttempt, startGoogleAttempt } from './auth-attempt.ts'
import { findInvitationToken } from './invitation-path.ts'
import { findLinkError } from './link-messages.ts'

/** The Google button above the form; nothing where the instance has no Google client. */
export function GoogleSignIn({
  next,
  email,
  onLeave,
  onFailure,
}: {
  /** The path to open next. An account made for an invitation gets no organisation of its own. */
  next: string
  /** The account that Google should preselect, if known. */
  email?: string | undefined
  /** Runs before the browser leaves. */
  onLeave?: () => void
  onFailure: (message: string | undefined) => void
}) {
  const { appUrl, googleSignIn } = useConfig()
  const hydrated = useHydrated()
  const [isLeaving, setLeaving] = useState(false)
  useReturnWithoutAnswer(setLeaving)
  if (!googleSignIn) return null
  const invitationToken = findInvitationToken(next)

  const leave = async () => {
    onFailure(undefined)
    onLeave?.()
    setLeaving(true)
    startGoogleAttempt()
    try {
      const { error } = await (await loadAuthClient()).signInWithOAuth({
        provider: 'google',
        options: {
          redirectTo: buildCallbackUrl(appUrl, { next }),
          scopes: 'email profile',
          queryParams: {
            access_type: 'offline',
            prompt: 'consent',
            ...(invitationToken !== undefined && { invite_token: invitationToken }),
            ...(email !== undefined && { login_hint: email }),
          },
        },
      })
      if (error) throw error
    } catch (error) {
      resumeGoogleAttempt()?.fail(error)
      setLeaving(false)
      onFailure(describeAuthError({ code: flagGoogleFailure(error) }))
    }
  }
  return (
    <div className="flex flex-col gap-4">
      <Button
        variant="secondary"
        loading={isLeaving}
        disabled={!hydrated}
        onClick={leave}
        className="disabled:opacity-100"
      >
        <GoogleMark />
        Continue with Google
      </Button>
      <div className="flex items-center gap-3 text-muted text-sm">
        <span className="h-px flex-1 bg-border" />
        or
        <span className="h-px flex-1 bg-border" />
      </div>
    </div>
  )
}

/**
 * A person who is here again without passing the callback pressed Back, which counts as a cancel, or was sent here with
 * an error because the server had lost the flow's state.
 */
function useReturnWithoutAnswer(setLeaving: (isLeaving: false) => void): void {
  useEffect(() => {
    const error = findLinkError(window.location)
    const attempt = resumeGoogleAttempt()
    if (error) attempt?.fail({ code: error.code, message: error.description })
    else attempt?.cancel()
    const notice = ({ persisted }: PageTransitionEvent) => {
      // Restored from the browser's back/forward cache.
      if (!persisted) return
      resumeGoogleAttempt()?.cancel()
      setLeaving(false)
    }
    window.addEventListener('pageshow', notice)
    return () => window.removeEventListener('pageshow', notice)
  }, [setLeaving])
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="size-4">
      <path
        fill="#4285f4"
        d="M23.5 12.27c0-.85-.08-1.67-.22-2.45H12v4.64h6.45a5.52 5.52 0 0 1-2.39 3.62v3h3.87c2.26-2.09 3.57-5.16 3.57-8.81Z"
      />
      <path
        fill="#34a853"
        d="M12 24c3.24 0 5.95-1.07 7.93-2.92l-3.87-3c-1.07.72-2.45 1.14-4.06 1.14-3.13 0-5.78-2.11-6.72-4.95h-4v3.1A12 12 0 0 0 12 24Z"
      />
      <path fill="#fbbc05" d="M5.28 14.27a7.2 7.2 0 0 1 0-4.54v-3.1h-4a12 12 0 0 0 0 10.74l4-3.1Z" />
      <path
        fill="#ea4335"
        d="M12 4.77c1.76 0 3.34.6 4.59 1.8l3.43-3.44A11.5 11.5 0 0 0 12 0 12 12 0 0 0 1.28 6.63l4 3.1C6.22 6.89 8.87 4.77 12 4.77Z"
      />
    </svg>
  )
}
