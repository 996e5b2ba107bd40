import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Project } from '#contract/projects.ts'
import { integrationsQuery } from '../../features/integrations/integrations-query.ts'
import { invitationsQuery } from '../../features/organizations/invitations-query.ts'
import { memberCountQuery } from '../../lib/members-query.ts'
import { useOrganization } from '../../lib/organization.tsx'
import { useUser } from '../../lib/session.tsx'
import { readStored, removeStored, storageKeys, writeStored } from '../../lib/storage.ts'
import { whenIdle } from '../../lib/when-idle.ts'
import { type FirstStep, listSteps } from './list-steps.ts'

interface FirstSteps {
  readonly steps: readonly FirstStep[]
  readonly isDone: boolean
  /** Put off by this person in this organisation, in this browser. */
  readonly isPutOff: boolean
  readonly setPutOff: (isPutOff: boolean) => void
}

/** What a new organisation does first. Steps that were all done once stay done, so that nothing is read for them again. */
export function useFirstSteps(projects: readonly Project[]): FirstSteps {
  const { organization, can } = useOrganization()
  const key = `${storageKeys.firstSteps}-${useUser().id}-${organization.id}`
  const [mark, setMark] = useState(() => readStored(key))
  const readsTeam = mark === null && can('invite_members')
  const members = useQuery({ ...memberCountQuery(organization.id), enabled: readsTeam })
  const invitations = useQuery({ ...invitationsQuery(organization.id), enabled: readsTeam })
  const canConnect = can('manage_integrations')
  // The last step is rarely done before the others: its read leaves the screen's own ones the way.
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  const integrations = useQuery({
    ...integrationsQuery(organization.id),
    enabled: isIdle && mark === null && canConnect,
    refetchInterval: false,
  })
  const steps = listSteps(projects, {
    canCreate: can('manage_projects'),
    canInvite: can('invite_members'),
    hasColleagues: (members.data ?? 0) > 1 || (invitations.data ?? 0) > 0,
    canConnect,
    hasIntegrations: (integrations.data?.length ?? 0) > 0,
  })
  const isDone = mark === 'done' || steps.every((step) => step.isDone)
  useEffect(() => {
    if (isDone) writeStored(key, 'done')
  }, [isDone, key])

  const setPutOff = (isPutOff: boolean) => {
    setMark(isPutOff ? 'later' : null)
    if (isPutOff) writeStored(key, 'later')
    else removeStored(key)
  }
  return { steps, isDone, isPutOff: mark === 'later', setPutOff }
}
