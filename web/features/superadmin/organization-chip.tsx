import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { organizationQuery } from './organizations/organization-queries.ts'

/** Names the organisation that a list is limited to, and takes the limit away. */
export function OrganizationChip({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { data } = useQuery(organizationQuery(id))
  const name = data?.name ?? 'one organisation'
  return (
    <Button
      variant="secondary"
      onClick={onRemove}
      aria-label={`Show all, not only those of ${name}`}
      className="max-w-full"
    >
      <span className="min-w-0 truncate">
        Of <bdi>{name}</bdi>
      </span>
      <X aria-hidden="true" />
    </Button>
  )
}
