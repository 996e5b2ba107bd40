import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Project } from '#contract/projects.ts'
import { Button } from '#web/ui/button.tsx'

/**
 * The next step of an organisation towards its first feedback: create a project, install the widget, wait.
 *
 * @param projects undefined while they are loading.
 */
export function findNextStep(
  projects: readonly Project[] | undefined,
  canManageProjects: boolean,
): { text: string; action?: ReactNode } {
  if (projects === undefined) return { text: 'New feedback appears here as soon as it is sent.' }
  const waiting = projects.find(({ widgetLastLoadedAt }) => widgetLastLoadedAt === null)
  if (projects.length > 0 && (waiting === undefined || projects.some(({ widgetLastLoadedAt }) => widgetLastLoadedAt))) {
    return { text: 'The widget is on your site. New feedback appears here as soon as it is sent.' }
  }
  if (waiting) {
    return {
      text: 'Install the widget on your website to collect feedback.',
      action: (
        <Button asChild>
          <Link to={`/dashboard/projects/${waiting.id}?install=1`}>Install the widget</Link>
        </Button>
      ),
    }
  }
  if (!canManageProjects) return { text: 'Ask the owner of your organisation to create a project.' }
  return {
    text: 'Create a project for your website and install the widget.',
    action: (
      <Button asChild>
        <Link to="/dashboard/projects/new">Create a project</Link>
      </Button>
    ),
  }
}
