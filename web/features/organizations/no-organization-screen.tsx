import { useState } from 'react'
import { signOut } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import NewOrganization from './new-organization.tsx'
import { OtherOrganizations } from './other-organizations.tsx'

/** Replaces the dashboard of a person without an open organisation. */
export default function NoOrganizationScreen() {
  const [isCreating, setCreating] = useState(false)
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-5 px-4 py-10">
      <title>No organisation · Earshot</title>
      <div role="alert" className="max-w-md text-center">
        <h1 className="font-semibold text-xl">No organization found. Please contact support.</h1>
        <p className="mt-1 text-base text-muted">You can also create an organisation of your own.</p>
      </div>
      <OtherOrganizations />
      <div className="flex flex-wrap justify-center gap-2">
        <Button onClick={() => setCreating(true)}>Create an organisation</Button>
        <Button variant="secondary" onClick={() => signOut()}>
          Sign Out
        </Button>
      </div>
      {isCreating && <NewOrganization onOpenChange={setCreating} />}
    </main>
  )
}
