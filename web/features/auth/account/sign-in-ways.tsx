import type { UserIdentity } from '@supabase/auth-js'
import { KeyRound, Mail } from 'lucide-react'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { useFreshUser } from './signed-in-user.ts'

const names: Readonly<Record<string, string>> = { email: 'Email', google: 'Google' }

/** The sign-in methods of the account, read-only. */
export function SignInWays() {
  const { user } = useFreshUser()
  const identities = user.identities ?? []
  return (
    <ul className="divide-y divide-border">
      {identities.map((identity) => (
        <SignInWay key={identity.identity_id} identity={identity} email={user.email ?? ''} />
      ))}
    </ul>
  )
}

function SignInWay({ identity, email }: { identity: UserIdentity; email: string }) {
  const { provider, identity_data: data, last_sign_in_at: lastUsedAt } = identity
  const address = typeof data?.email === 'string' ? data.email : email
  const Icon = provider === 'email' ? Mail : KeyRound
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-4">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-48 text-base">
        <p className="font-medium">{names[provider] ?? provider}</p>
        <p className="text-muted [overflow-wrap:anywhere]">{address}</p>
      </div>
      {lastUsedAt !== undefined && (
        <p className="shrink-0 pl-9 text-muted text-sm sm:pl-0">
          Last used <RelativeTime iso={lastUsedAt} />
        </p>
      )}
    </li>
  )
}
