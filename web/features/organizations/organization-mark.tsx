import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useOrganization } from '#web/lib/organization.tsx'
import { organizationProfileQuery } from '#web/lib/organization-profile-query.ts'
import { readStored, storageKeys, writeStored } from '#web/lib/storage.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { LogoMark } from '#web/ui/logo.tsx'

/** A logo changes seldom: this device asks for it again after that time. */
const storedForMs = 3600_000

/** The organisation's logo, or ours where it has none. */
export function OrganizationMark() {
  const { organization } = useOrganization()
  return <Mark key={organization.id} id={organization.id} name={organization.name} />
}

function Mark({ id, name }: { id: string; name: string }) {
  const key = `${storageKeys.logo}-${id}`
  const [stored] = useState(() => readLogo(key))
  // With a stored logo no screen waits for a request, and none begins without its logo.
  const { data } = useQuery({ ...organizationProfileQuery(id), enabled: stored === undefined })
  const url = data ? data.logoUrl : (stored ?? null)
  const known = data?.logoUrl
  useEffect(() => {
    if (known !== undefined) writeStored(key, `${Date.now()} ${known ?? ''}`)
  }, [key, known])
  if (!url) return <LogoMark className="size-6 shrink-0" />
  return <Avatar square name={name} src={url} className="size-6" />
}

/** The logo's address, null for none; undefined when this device has not asked for an hour. */
function readLogo(key: string): string | null | undefined {
  const [, at, url = ''] = /^(\d+) (\/api\/v1\/logos\/[\w-]+)?$/.exec(readStored(key) ?? '') ?? []
  const ageMs = Date.now() - Number(at)
  if (!(ageMs >= 0 && ageMs < storedForMs)) return undefined
  return url === '' ? null : url
}
