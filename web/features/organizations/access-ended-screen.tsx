import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiError } from '#web/lib/api.ts'
import { withBasePath } from '#web/lib/base-path.ts'
import type { Organization } from '#web/lib/organization.tsx'
import { keepSelectedOrganization } from '#web/lib/selected-organization.ts'
import { signOut, useUser } from '#web/lib/session.tsx'
import { listUnsent } from '#web/lib/unsent-texts.ts'
import { Button } from '#web/ui/button.tsx'
import { UnsentTexts } from '#web/ui/unsent-texts.tsx'
import { otherOrganizationQuery } from './current-organization.ts'

/** Replaces the dashboard after removal from the organisation or its deletion. Unsent drafts can be copied. */
export default function AccessEndedScreen({
  organization,
  refusal,
}: {
  organization: Organization
  refusal: ApiError
}) {
  const user = useUser()
  const [unsent] = useState(listUnsent)
  const { data: other } = useQuery(otherOrganizationQuery(user.id, organization.id))
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 px-6 py-10 text-center">
      <title>No longer a member · Earshot</title>
      <div role="alert" className="flex max-w-md flex-col gap-2">
        <h1 className="font-semibold text-2xl">
          You can no longer open <bdi className="[overflow-wrap:anywhere]">{organization.name}</bdi>
        </h1>
        <p className="text-lg text-muted">
          {refusal.status === 403
            ? refusal.message
            : 'You were removed from this organisation, or it was deleted. To return, ask one of its owners for an invitation.'}
        </p>
      </div>
      <UnsentTexts texts={unsent} />
      <div className="flex flex-wrap justify-center gap-2">
        {/* A full load: nothing of the former organisation stays behind. */}
        {other && other.id !== organization.id && (
          <Button asChild>
            <a
              href={withBasePath('/dashboard')}
              onClick={() => keepSelectedOrganization(other.id)}
              className="max-w-full"
            >
              <span className="truncate">
                Go to <bdi>{other.name}</bdi>
              </span>
            </a>
          </Button>
        )}
        <Button variant="secondary" onClick={() => signOut()}>
          Sign Out
        </Button>
      </div>
    </main>
  )
}
