/** A step of the tour. */
export interface TourStep {
  readonly id: string
  readonly title: string
  readonly text: string
  /** What it is about, as a selector; a step about nothing in view stands in the middle. */
  readonly target?: string
  /** The label of the button that leads to the next step. */
  readonly next: 'Next' | 'Continue' | 'Finish'
  /** Going on opens this screen, and the next step follows once it is there. */
  readonly opens?: string
}

// The app may stand below a path of its own.
const inSidebar = (to: string) => `aside[aria-label="Sidebar"] a[href$="${to}"]`

/** The tour `welcome`: SPEC.md, section 2. */
export const welcomeSteps: readonly TourStep[] = [
  {
    id: 'welcome',
    title: 'Welcome to Earshot',
    text: 'Eight short steps show you where things are. You can leave at any time, and start again from the command palette.',
    next: 'Next',
  },
  {
    id: 'organization',
    title: 'Your organisation',
    text: 'Your team, its roles and invitations. Members see the feedback of all projects of the organisation.',
    target: inSidebar('/dashboard/organization'),
    next: 'Next',
  },
  {
    id: 'projects',
    title: 'Projects',
    text: 'A project is one website. It has its own widget, its own settings and its own feedback.',
    target: inSidebar('/dashboard/projects'),
    next: 'Continue',
    opens: '/dashboard/projects',
  },
  {
    id: 'create-project',
    title: 'Create a project',
    text: 'Enter a name and the domain of your website. Owners create projects; everyone works in them.',
    target: 'main a[href$="/dashboard/projects/new"]',
    next: 'Next',
  },
  {
    id: 'widget-installation',
    title: 'Install the widget',
    text: 'Each project has an installation guide with one line for your pages, also for React, WordPress and others. The button appears on your site as soon as the line is there.',
    next: 'Next',
  },
  {
    id: 'feedback',
    title: 'The feedback dashboard',
    text: 'All feedback arrives here at once. Use the filters by status, priority and type to find what matters, and press ? for the keys.',
    target: inSidebar('/dashboard/feedback'),
    next: 'Next',
  },
  {
    id: 'documentation',
    title: 'Documentation',
    text: 'Guides to installation, integrations, the API and running Earshot, with a search.',
    target: inSidebar('/dashboard/documentation'),
    next: 'Next',
  },
  {
    id: 'done',
    title: 'You know your way around',
    text: 'Create your first project and send yourself some feedback.',
    next: 'Finish',
  },
]
