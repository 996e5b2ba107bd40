import { useQuery } from '@tanstack/react-query'
import { Building2 } from 'lucide-react'
import { useState } from 'react'
import { type InstanceOrganizationDetail, itemCountLimit } from '#contract/superadmin-organizations.ts'
import { formatQuantity } from '#web/shared/format-count.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { DetailFailure } from '#web/ui/detail-failure.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { LimitsCard } from './limits-card.tsx'
import { type AskedAct, OrganizationActDialog } from './organization-act-dialog.tsx'
import { OrganizationActs } from './organization-acts.tsx'
import { OrganizationBadges } from './organization-badges.tsx'
import { FactsCard, SuspensionCard } from './organization-facts.tsx'
import { organizationQuery } from './organization-queries.ts'
import { MembersCard, ProjectsCard } from './people-cards.tsx'
import { StorageCard } from './storage-card.tsx'
import { SuspendDialog } from './suspend-dialog.tsx'

const back = { to: '/dashboard/superadmin/organizations', label: 'Organisations' }

/** One organisation: its plan, members, projects, storage and use, and what can be done. */
export function OrganizationScreen({ id }: { id: string }) {
  const { data: organization, error, refetch } = useQuery(organizationQuery(id))
  // A removed organisation is shown as it was last read.
  const isRemoved = organization?.isBeingRemoved === true && error !== null && 'status' in error && error.status === 404
  return (
    <div className="flex w-full max-w-3xl flex-col gap-6">
      <BackLink to={back.to}>{back.label}</BackLink>
      {isRemoved ? (
        <p role="status" className="text-base">
          <bdi className="font-medium">{organization.name}</bdi> was permanently deleted, with everything in it.
        </p>
      ) : organization ? (
        <Organization organization={organization} />
      ) : error ? (
        <DetailFailure
          error={error}
          failure="Couldn’t load this organisation"
          onRetry={() => void refetch()}
          icon={<Building2 />}
          title="Organisation not found"
          back={back}
        >
          It may have been deleted.
        </DetailFailure>
      ) : (
        <ListSkeleton label="Loading the organisation" />
      )}
    </div>
  )
}

function Organization({ organization }: { organization: InstanceOrganizationDetail }) {
  const [act, setAct] = useState<AskedAct | 'suspend' | 'delete'>()
  const close = () => setAct(undefined)
  return (
    <>
      <div className="min-w-0">
        <h2 className="font-semibold text-xl [overflow-wrap:anywhere]">
          <bdi>{organization.name}</bdi>
        </h2>
        <p className="mt-2 flex flex-wrap gap-1 empty:hidden">
          <OrganizationBadges organization={organization} />
        </p>
      </div>
      {organization.isBeingRemoved && <RemovalProgress itemCount={organization.itemCount} />}
      <OrganizationActs organization={organization} onAct={setAct} />
      <SuspensionCard organization={organization} onChange={() => setAct('suspend')} />
      <FactsCard organization={organization} />
      <LimitsCard organization={organization} />
      <StorageCard id={organization.id} />
      <MembersCard organization={organization} />
      <ProjectsCard organization={organization} />
      {act === 'suspend' ? (
        <SuspendDialog organization={organization} onClose={close} />
      ) : act === 'delete' ? (
        <DeleteDialog organization={organization} onClose={close} />
      ) : (
        act && <OrganizationActDialog organization={organization} act={act} onClose={close} />
      )}
    </>
  )
}

function RemovalProgress({ itemCount }: { itemCount: number }) {
  return (
    <p role="status" className="rounded-md bg-danger-soft px-4 py-3 text-base text-danger-text">
      The organisation is being permanently deleted. {formatQuantity(itemCount, 'item', itemCountLimit)} left. You can
      leave this page; this continues in the background.
    </p>
  )
}
