import type { Project } from '#contract/projects.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Detection } from './detection.tsx'
import { InstallGuides } from './install-guides.tsx'

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
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Install the widget on ${project.domain}`}
      description="One line of code shows the feedback button. It loads after your page and won’t slow your site."
      // Held at its top edge: guides differ in height, and their tabs stay under the pointer.
      className="sm:top-[8dvh] sm:max-h-[84dvh] sm:max-w-2xl sm:translate-y-0"
    >
      <InstallGuides project={project} />
      <div className="mt-5 flex min-h-12 flex-wrap items-center justify-between gap-3 rounded-md border border-border bg-surface px-4 py-2">
        <Detection project={project} watching={open} />
        <Button variant="secondary" size="sm" onClick={() => onOpenChange(false)}>
          {project.widgetLastLoadedAt === null ? 'Do this later' : 'Done'}
        </Button>
      </div>
    </Dialog>
  )
}
