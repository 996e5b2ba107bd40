import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { NotificationChange, NotificationChoices, ProjectPreferences } from '#contract/notifications.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { projectsQuery } from '#web/lib/projects-query.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PickMenu } from '#web/ui/pick-menu.tsx'
import { PreferenceMatrix } from './preference-matrix.tsx'

type Save = (change: NotificationChange, former: NotificationChange) => void

/** Projects whose notifications differ from those of all projects. */
export function ProjectExceptions({
  exceptions,
  allProjects,
  save,
}: {
  exceptions: readonly ProjectPreferences[]
  allProjects: NotificationChoices
  save: Save
}) {
  return (
    <section aria-labelledby="exceptions" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <h2 id="exceptions" className="font-semibold text-lg">
            Exceptions
          </h2>
          <p className="text-base text-muted">
            {exceptions.length === 0
              ? 'Every project follows the settings above.'
              : 'These projects have settings of their own.'}
          </p>
        </div>
        <AddException exceptions={exceptions} allProjects={allProjects} save={save} />
      </div>
      {exceptions.map((project) => (
        <Exception key={project.projectId} project={project} save={save} />
      ))}
    </section>
  )
}

function AddException({
  exceptions,
  allProjects,
  save,
}: {
  exceptions: readonly ProjectPreferences[]
  allProjects: NotificationChoices
  save: Save
}) {
  const { organization } = useOrganization()
  const [isOpen, setOpen] = useState(false)
  const { data: projects } = useQuery({ ...projectsQuery(organization.id), enabled: isOpen })
  const taken = new Set(exceptions.map(({ projectId }) => projectId))
  const others = projects?.filter(({ id, archivedAt }) => archivedAt === null && !taken.has(id)) ?? []
  return (
    <PickMenu
      label="Projects"
      placeholder="Find a project"
      emptyText={projects ? 'No other projects.' : 'Loading…'}
      align="end"
      open={isOpen}
      onOpenChange={setOpen}
      options={others.map(({ id, name, domain }) => ({ value: id, label: name, hint: domain, state: 'off' }))}
      onPick={(projectId) =>
        save({ projects: [{ projectId, ...allProjects }] }, { projects: [followAll({ projectId })] })
      }
    >
      <Button variant="secondary" size="sm">
        <Plus aria-hidden="true" />
        Add exception
      </Button>
    </PickMenu>
  )
}

function Exception({ project, save }: { project: ProjectPreferences; save: Save }) {
  const { projectId, projectName } = project
  const titleId = `exception-${projectId}`
  return (
    <Card aria-labelledby={titleId}>
      <div className="flex items-center justify-between gap-4 border-border border-b px-4 py-2">
        <h3 id={titleId} className="min-w-0 break-words font-semibold text-base">
          <bdi>{projectName}</bdi>
        </h3>
        <Button
          variant="ghost"
          size="sm"
          aria-label={`Remove exception, ${projectName}`}
          onClick={() => save({ projects: [followAll(project)] }, { projects: [copyChoices(project)] })}
        >
          Remove
        </Button>
      </div>
      <PreferenceMatrix
        choices={project}
        scope={projectName}
        onChange={(next, former) =>
          save({ projects: [{ projectId, ...next }] }, { projects: [{ projectId, ...former }] })
        }
      />
    </Card>
  )
}

function followAll({ projectId }: Pick<ProjectPreferences, 'projectId'>) {
  return { projectId, asAllProjects: true } as const
}

/** What applies to the project now, as choices of its own. */
function copyChoices({ projectId, newFeedback, assigned, mentioned, visitorReplied }: ProjectPreferences) {
  return { projectId, newFeedback, assigned, mentioned, visitorReplied }
}
