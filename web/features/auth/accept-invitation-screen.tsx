import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { acceptInvitation, type Invitation } from '#contract/invitations.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { addRedirect } from '#web/lib/redirect.ts'
import { keepSelectedOrganization } from '#web/lib/selected-organization.ts'
import { isVerified, signOut, useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { toast } from '#web/ui/toast.tsx'
import { Address, AuthFrame, AuthSpinner, FormError } from './auth-frame.tsx'
import { buildInvitationPath } from './invitation-path.ts'
import { useInvitation } from './invitation-query.ts'
import { VerifyEmailScreen } from './verify-email-screen.tsx'

/** The page behind an invitation link: who invited, to which organisation, and how to join. */
export function AcceptInvitationScreen({ token }: { token: string }) {
  const session = useSession()
  const invitation = useInvitation(token)
  const { data, error } = invitation

  if (error instanceof ApiError && error.status === 404) return <EndedScreen state="unknown" />
  if (error && !data) {
    return (
      <AuthFrame title="Your invitation">
        <LoadFailure title="Couldn’t load the invitation" error={error} onRetry={() => invitation.refetch()} />
      </AuthFrame>
    )
  }
  if (!data || session.status === 'loading') {
    return <AuthSpinner documentTitle="Your invitation" label="Loading your invitation" />
  }
  if (data.state !== 'open') return <EndedScreen state={data.state} />
  if (session.status === 'signed_out') return <StrangerScreen invitation={data} token={token} />
  const email = session.user.email ?? ''
  if (email.toLowerCase() !== data.email.toLowerCase())
    return <OtherPersonScreen invitation={data} signedInAs={email} />
  if (!isVerified(session.user)) return <VerifyEmailScreen email={email} next={buildInvitationPath(token)} />
  return <AcceptScreen invitation={data} token={token} onRefused={() => invitation.refetch()} />
}

function OpenFrame({ invitation, children }: { invitation: Invitation; children: ReactNode }) {
  const { organizationName, inviterName, role } = invitation
  return (
    <AuthFrame
      title={`Join ${organizationName}`}
      documentTitle="Your invitation"
      description={
        <>
          {inviterName ?? 'Someone on the team'} invites you to work in <Address>{organizationName}</Address> as{' '}
          {/^[aeiou]/.test(role) ? 'an' : 'a'} {role}.
        </>
      }
    >
      {children}
    </AuthFrame>
  )
}

function StrangerScreen({ invitation, token }: { invitation: Invitation; token: string }) {
  return (
    <OpenFrame invitation={invitation}>
      <p className="text-base">
        The invitation is for <Address>{invitation.email}</Address>.
      </p>
      <div className="flex flex-col gap-2">
        <Button asChild>
          <Link to={`/register?${new URLSearchParams({ invitation: token })}`}>Create an account</Link>
        </Button>
        <Button asChild variant="secondary">
          <Link
            to={addRedirect('/login', buildInvitationPath(token))}
            state={{ email: invitation.email, isEmailFixed: true }}
          >
            Sign in
          </Link>
        </Button>
      </div>
    </OpenFrame>
  )
}

function OtherPersonScreen({ invitation, signedInAs }: { invitation: Invitation; signedInAs: string }) {
  return (
    <OpenFrame invitation={invitation}>
      <p className="text-base">
        The invitation is for <Address>{invitation.email}</Address>, but you are signed in as{' '}
        <Address>{signedInAs}</Address>.
      </p>
      <div className="flex flex-col gap-2">
        <Button onClick={() => signOut()}>Switch account</Button>
        <Button asChild variant="secondary">
          <Link to="/dashboard">Go to Dashboard</Link>
        </Button>
      </div>
    </OpenFrame>
  )
}

function AcceptScreen({
  invitation,
  token,
  onRefused,
}: {
  invitation: Invitation
  token: string
  /** The server refused: the invitation may have changed since it was loaded. */
  onRefused: () => void
}) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const accept = useMutation({
    mutationFn: () => call(acceptInvitation, { params: { token } }),
    networkMode: 'always',
    onSuccess: ({ organizationId }) => {
      keepSelectedOrganization(organizationId)
      toast({ title: `Welcome to ${invitation.organizationName}`, tone: 'success' })
      navigate('/dashboard', { replace: true })
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'invitations' })
    },
    onError: (error) => {
      if (error instanceof ApiError) onRefused()
    },
  })
  return (
    <OpenFrame invitation={invitation}>
      {accept.error && <FormError>{accept.error.message}</FormError>}
      <Button loading={accept.isPending || accept.isSuccess} onClick={() => accept.mutate()}>
        Accept invitation
      </Button>
    </OpenFrame>
  )
}

const endings = {
  accepted: {
    title: 'This invitation was accepted',
    text: 'Each invitation works once.',
    action: { to: '/dashboard', label: 'Go to Dashboard' },
  },
  expired: {
    title: 'This invitation has expired',
    text: 'Ask the person who invited you for a new one.',
    action: { to: '/', label: 'Back to home' },
  },
  revoked: {
    title: 'This invitation was withdrawn',
    text: 'If this was a mistake, ask the person who invited you.',
    action: { to: '/', label: 'Back to home' },
  },
  unknown: {
    title: 'Invitation not found',
    text: 'Check that the link is complete, or ask the person who invited you for a new one.',
    action: { to: '/', label: 'Back to home' },
  },
} as const

function EndedScreen({ state }: { state: keyof typeof endings }) {
  const { title, text, action } = endings[state]
  return (
    <AuthFrame title={title} documentTitle="Your invitation" description={text}>
      <Button asChild variant="secondary">
        <Link to={action.to}>{action.label}</Link>
      </Button>
    </AuthFrame>
  )
}
