import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import type { Integration, IntegrationType } from '#contract/integrations.ts'
import { type IssueMapping, type IssueStage, issueStages } from '#contract/issue-mapping.ts'
import type { TrackerStatus } from '#contract/issue-preview.ts'
import { createStageMap } from '#contract/stage-map.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { RequestNote } from '#web/ui/request-note.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { stageLabels, withStage, withStatus } from './mapping-draft.ts'
import { statusesQuery } from './mapping-queries.ts'

interface MappingProps {
  service: IntegrationType
  integration: Integration
  mapping: IssueMapping
  onChange: (mapping: IssueMapping) => void
}

/** Both directions of statuses as sentences. While the tracker does not answer, the stored mapping stays as it is. */
export function StatusMapping({ service, integration, mapping, onChange }: MappingProps) {
  const { organization } = useOrganization()
  const place = { organizationId: organization.id, integrationId: integration.id }
  const { data: statuses, error, isFetching, refetch } = useQuery(statusesQuery(place))
  if (!statuses && error && !isFetching) {
    return (
      <div role="alert" className="flex flex-col items-start gap-3">
        <div>
          <p className="font-medium text-base">Couldn’t load the statuses of {service.name}</p>
          <p className="text-base text-muted [overflow-wrap:anywhere]">{error.message}</p>
          <RequestNote error={error} />
        </div>
        <Button variant="secondary" size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  }
  if (!statuses) {
    return (
      <output className="flex flex-col gap-3">
        <span className="sr-only">Loading statuses of {service.name}</span>
        {issueStages.map((stage) => (
          <Skeleton key={stage} className="h-9" />
        ))}
      </output>
    )
  }
  const known = service.issues?.stages ?? issueStages
  return (
    <>
      <StatusesOfIssues statuses={statuses} known={known} mapping={mapping} onChange={onChange} />
      <StagesOfStatuses statuses={statuses} mapping={mapping} onChange={onChange} />
    </>
  )
}

interface TableProps extends Pick<MappingProps, 'mapping' | 'onChange'> {
  statuses: readonly TrackerStatus[]
}

function StatusesOfIssues({ statuses, known, mapping, onChange }: TableProps & { known: readonly IssueStage[] }) {
  const nameOf = (id: string | undefined) => statuses.find((status) => status.id === id)?.name
  return (
    <Rows title="From feedback to issue">
      {issueStages.map((stage) => {
        const wanted = mapping.statuses?.[stage]
        const isGone = wanted !== undefined && nameOf(wanted) === undefined
        const first = createStageMap(withStatus(mapping, stage, undefined), known).aim(stage, statuses)
        const firstName = nameOf(first.statusId) ?? 'its first status'
        return (
          <Row
            key={stage}
            sentence={
              <>
                When feedback is <b className="font-medium text-foreground">{stageLabels[stage]}</b>, the issue becomes
              </>
            }
            note={isGone ? `The selected status was deleted. Issues become ${firstName} instead.` : undefined}
          >
            {(control) => (
              <Select
                {...control}
                value={wanted ?? ''}
                onChange={({ currentTarget: { value } }) => onChange(withStatus(mapping, stage, value || undefined))}
              >
                <option value="">{firstName} (default)</option>
                {isGone && <option value={wanted}>Deleted status</option>}
                {statuses.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Row>
        )
      })}
    </Rows>
  )
}

function StagesOfStatuses({ statuses, mapping, onChange }: TableProps) {
  const overrides = new Map((mapping.stages ?? []).map(({ statusId, stage }) => [statusId, stage]))
  const gone = [...overrides.keys()].filter((id) => !statuses.some((status) => status.id === id))
  const rows: { id: string; name: string; own: IssueStage | undefined }[] = [
    ...statuses.map(({ id, name, stage }) => ({ id, name, own: stage })),
    ...gone.map((id) => ({ id, name: 'a deleted status', own: undefined })),
  ]
  return (
    <Rows title="From issue to feedback">
      {rows.map(({ id, name, own }) => (
        <Row
          key={id}
          sentence={
            <>
              Issues in <b className="break-words font-medium text-foreground">{name}</b> count as
            </>
          }
          note={own === undefined ? 'This status was deleted. The setting has no effect.' : undefined}
        >
          {(control) => (
            <Select
              {...control}
              value={overrides.get(id) ?? ''}
              onChange={({ currentTarget: { value } }) =>
                onChange(
                  withStage(
                    mapping,
                    id,
                    issueStages.find((each) => each === value),
                  ),
                )
              }
            >
              <option value="">{own === undefined ? 'Remove this setting' : `${stageLabels[own]} (default)`}</option>
              {issueStages
                .filter((stage) => stage !== own)
                .map((stage) => (
                  <option key={stage} value={stage}>
                    {stageLabels[stage]}
                  </option>
                ))}
            </Select>
          )}
        </Row>
      ))}
    </Rows>
  )
}

function Rows({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 sm:gap-3">
      <h3 id={id} className="font-medium text-base">
        {title}
      </h3>
      {children}
    </section>
  )
}

/** A sentence that its control ends; below each other on a phone. */
function Row({
  sentence,
  note,
  children,
}: {
  sentence: ReactNode
  note: string | undefined
  children: (control: { id: string; 'aria-describedby'?: string }) => ReactNode
}) {
  const id = useId()
  return (
    <div className="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[1fr_14rem]">
      <label htmlFor={id} className="min-w-0 text-base text-muted" dir="auto">
        {sentence}
      </label>
      {children({ id, ...(note !== undefined && { 'aria-describedby': `${id}-note` }) })}
      {note !== undefined && (
        <p id={`${id}-note`} className="text-sm text-warning-text sm:col-span-2">
          {note}
        </p>
      )}
    </div>
  )
}
