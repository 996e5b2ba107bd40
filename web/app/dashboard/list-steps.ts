import type { Project } from '#contract/projects.ts'

export interface FirstStep {
  title: string
  text: string
  isDone: boolean
  /** Leads to the screen where it is done; without an address a dialog opens. */
  action?: { label: string; to?: string }
}

interface Standing {
  canCreate: boolean
  canInvite: boolean
  /** Someone else is a member or invited. */
  hasColleagues: boolean
  canConnect: boolean
  /** A service is connected. */
  hasIntegrations: boolean
}

/** The steps from an empty organisation to a team that receives feedback, in order. */
export function listSteps(
  projects: readonly Pick<Project, 'id' | 'widgetLastLoadedAt' | 'feedbackCount'>[],
  { canCreate, canInvite, hasColleagues, canConnect, hasIntegrations }: Standing,
): FirstStep[] {
  const [first] = projects
  return [
    ...listProjectSteps(projects.length > 0, canCreate),
    {
      title: 'Install the widget',
      text: 'Copy one line into your page. This step completes when the widget loads there.',
      isDone: projects.some((project) => project.widgetLastLoadedAt !== null || project.feedbackCount > 0),
      ...(first && { action: { label: 'Show code', to: `/dashboard/projects/${first.id}?install=1` } }),
    },
    {
      title: 'Receive feedback',
      text: 'Open the widget on your page and send a test.',
      isDone: projects.some(({ feedbackCount }) => feedbackCount > 0),
      ...(first && { action: { label: 'Send a test', to: `/test-feedback?project=${first.id}` } }),
    },
    ...(canInvite
      ? [
          {
            title: 'Invite a colleague',
            text: 'Triage and answer feedback together.',
            isDone: hasColleagues,
            action: { label: 'Invite' },
          },
        ]
      : []),
    ...(canConnect
      ? [
          {
            title: 'Connect a service',
            text: 'Send feedback to your chat, issue tracker or webhook.',
            isDone: hasIntegrations,
            action: { label: 'Connect', to: '/dashboard/integrations' },
          },
        ]
      : []),
  ]
}

/** Others than owners only learn whom to ask, and nothing once there is a project. */
function listProjectSteps(isDone: boolean, canCreate: boolean): FirstStep[] {
  if (canCreate) {
    return [
      {
        title: 'Create a project',
        text: 'One for each website. It needs a name and a domain.',
        isDone,
        action: { label: 'Create project', to: '/dashboard/projects/new' },
      },
    ]
  }
  if (isDone) return []
  return [{ title: 'Ask for a project', text: 'Only an owner of your organisation can create one.', isDone: false }]
}
