import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import type { Project } from '#contract/projects.ts'
import { useConfig } from '#web/lib/config.tsx'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/ui/tabs.tsx'
import { buildInstallGuides } from './install-snippets.ts'
import { projectQuery } from './project-query.ts'

const pollMs = 2500

/** How to put the widget on a page, and a look whether it has arrived there. */
export function InstallationModal({
  project,
  open,
  onOpenChange,
}: {
  project: Project
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const appUrl = useAppUrl()
  const guides = buildInstallGuides(appUrl, project.widgetKey)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Install the widget on ${project.domain}`}
      description="One line of code shows the feedback button. It loads after your page and slows nothing down."
      className="sm:max-w-2xl"
    >
      <Tabs defaultValue="html">
        <TabsList aria-label="Where to install">
          {guides.map((guide) => (
            <TabsTrigger key={guide.id} value={guide.id}>
              {guide.title}
            </TabsTrigger>
          ))}
        </TabsList>
        {guides.map((guide) => (
          <TabsContent key={guide.id} value={guide.id} className="pt-4 sm:min-h-72">
            {guide.steps.map((step) => (
              <p key={step} className="text-base text-muted">
                {step}
              </p>
            ))}
            {guide.file !== undefined && <p className="mt-3 font-mono text-muted text-sm">{guide.file}</p>}
            <CodeBlock
              code={guide.code}
              label={`Code for ${guide.title}`}
              className={guide.file === undefined ? 'mt-3' : 'mt-1'}
            />
            <p className="mt-3 text-muted text-sm">
              With a Content-Security-Policy, allow <code className="font-mono text-foreground">{appUrl}</code> in
              script-src and connect-src.
            </p>
          </TabsContent>
        ))}
      </Tabs>
      <div className="mt-5 flex min-h-12 flex-wrap items-center justify-between gap-3 rounded-md border border-border bg-surface px-4 py-2">
        <Detection project={project} watching={open} />
        <Button variant="secondary" size="sm" onClick={() => onOpenChange(false)}>
          {project.widgetLastLoadedAt === null ? 'Do this later' : 'Done'}
        </Button>
      </div>
    </Dialog>
  )
}

/** The address that the snippet loads from. */
export function useAppUrl(): string {
  const { appUrl } = useConfig()
  return appUrl ?? window.location.origin
}

function Detection({ project, watching }: { project: Project; watching: boolean }) {
  const { organization } = useOrganization()
  const { data = project } = useQuery({
    ...projectQuery(organization.id, project.id),
    enabled: watching,
    refetchInterval: ({ state }) => (state.data?.widgetLastLoadedAt ? false : pollMs),
  })
  return (
    <output className="flex items-center gap-2.5 text-base">
      {data.widgetLastLoadedAt === null ? (
        <>
          <Spinner className="text-muted" />
          <span className="text-muted">Waiting for the first load…</span>
        </>
      ) : (
        <>
          <CircleCheck aria-hidden="true" className="size-4 text-success-text" />
          <span className="font-medium text-success-text">Found on your page</span>
          <RelativeTime iso={data.widgetLastLoadedAt} className="text-muted text-sm" />
        </>
      )}
    </output>
  )
}
