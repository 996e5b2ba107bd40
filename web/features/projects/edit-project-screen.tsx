import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { Link, useParams } from 'react-router'
import type { Project } from '#contract/projects.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { DeleteProject } from './delete-project.tsx'
import { ProjectArchive } from './project-archive.tsx'
import { ProjectDomains } from './project-domains.tsx'
import { ProjectEmails } from './project-emails.tsx'
import { ProjectNameForm } from './project-name-form.tsx'
import { projectQuery } from './project-query.ts'
import { ProjectRetention } from './project-retention.tsx'

/** The settings of a project. Members without the right to change them see who has it. */
export default function EditProjectScreen() {
  const { projectId = '' } = useParams()
  const { organization, can } = useOrganization()
  const { data: project } = useQuery(projectQuery(organization.id, projectId))
  if (!project) return <EditorSkeleton />
  return (
    <div className="w-full max-w-3xl">
      {can('manage_projects') ? <Editor key={project.id} project={project} /> : <OwnersOnly project={project} />}
    </div>
  )
}

function Editor({ project }: { project: Project }) {
  return (
    <div className="flex flex-col gap-6">
      <Card>
        <CardHeader>
          <CardTitle>Name and domain</CardTitle>
        </CardHeader>
        <CardContent>
          <ProjectNameForm project={project} />
        </CardContent>
      </Card>
      <Card>
        <CardHeader>
          <CardTitle>Additional domains</CardTitle>
          <CardDescription>Other sites that use this project’s widget.</CardDescription>
        </CardHeader>
        <CardContent>
          <ProjectDomains project={project} />
        </CardContent>
      </Card>
      <Card>
        <CardHeader>
          <CardTitle>Emails to visitors</CardTitle>
        </CardHeader>
        <CardContent>
          <ProjectEmails project={project} />
        </CardContent>
      </Card>
      <Card>
        <CardHeader>
          <CardTitle>Retention</CardTitle>
          <CardDescription>How long feedback is kept before it is permanently deleted.</CardDescription>
        </CardHeader>
        <CardContent>
          <ProjectRetention project={project} />
        </CardContent>
      </Card>
      <Card>
        <CardHeader>
          <CardTitle>{project.archivedAt === null ? 'Archive this project' : 'This project is archived'}</CardTitle>
        </CardHeader>
        <CardContent className="pt-2">
          <ProjectArchive project={project} />
        </CardContent>
      </Card>
      <Card className="border-danger/40">
        <CardHeader>
          <CardTitle>Delete this project</CardTitle>
        </CardHeader>
        <CardContent className="pt-2">
          <DeleteProject project={project} />
        </CardContent>
      </Card>
    </div>
  )
}

function OwnersOnly({ project }: { project: Project }) {
  return (
    <EmptyState
      icon={<Lock />}
      title="Only owners can change a project"
      action={
        <Button asChild variant="secondary">
          <Link to={`/dashboard/projects/${project.id}`}>Back to the project</Link>
        </Button>
      }
    >
      Ask an owner of your organisation to change its name, domain or retention.
    </EmptyState>
  )
}

function EditorSkeleton() {
  return (
    <output className="flex w-full max-w-3xl flex-col gap-6">
      <span className="sr-only">Loading project</span>
      <Skeleton className="h-64 rounded-lg" />
      <Skeleton className="h-48 rounded-lg" />
      <Skeleton className="h-40 rounded-lg" />
    </output>
  )
}
