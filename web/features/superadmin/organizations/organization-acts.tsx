import { Ban, RotateCcw, Trash2 } from 'lucide-react'
import type { InstanceOrganizationDetail } from '#contract/superadmin-organizations.ts'
import { Button } from '#web/ui/button.tsx'
import type { AskedAct } from './organization-act-dialog.tsx'

interface OrganizationActsProps {
  organization: InstanceOrganizationDetail
  onAct: (act: AskedAct | 'suspend' | 'delete') => void
}

/** The acts that an organisation allows now. */
export function OrganizationActs({ organization, onAct }: OrganizationActsProps) {
  const { closedAt, suspendedAt, isBeingRemoved } = organization
  // Nothing of it can be kept any more.
  if (isBeingRemoved) return null
  return (
    <div className="flex flex-wrap gap-2">
      {closedAt !== null && (
        <Button onClick={() => onAct('restore')}>
          <RotateCcw aria-hidden="true" />
          Restore
        </Button>
      )}
      {suspendedAt !== null ? (
        <Button variant={closedAt === null ? 'primary' : 'secondary'} onClick={() => onAct('lift')}>
          Lift suspension
        </Button>
      ) : (
        <Button variant="secondary" onClick={() => onAct('suspend')}>
          <Ban aria-hidden="true" />
          Suspend
        </Button>
      )}
      <Button variant="danger" onClick={() => onAct('delete')}>
        <Trash2 aria-hidden="true" />
        {closedAt === null ? 'Delete' : 'Remove now'}
      </Button>
    </div>
  )
}
