import type { NewSavedView } from '#contract/views.ts'
import { demoMembers } from './people.ts'

/** A saved view of a member of the demo's team. */
export interface DemoView extends NewSavedView {
  readonly ownerUserId: string
}

const sharedBy: Readonly<Record<string, readonly { name: string; search: string }[]>> = {
  'Maya Lindqvist': [{ name: 'Unhappy visitors', search: 'rating=1&rating=2&date=90d' }],
  'Tomás Herrera': [
    { name: 'High-priority bugs', search: 'status=new&status=open&priority=high&priority=urgent&type=bug' },
    { name: 'Unassigned', search: 'status=open&assignee=none' },
  ],
  'Noor Haddad': [{ name: 'Checkout', search: 'q=checkout' }],
}

/** The team's shared views, and each member's own. */
export const demoViews: readonly DemoView[] = demoMembers.flatMap(({ id, fullName, share }, member) => {
  const views = [
    // Items in a member's work; viewers have none.
    ...(share > 0
      ? [
          {
            name: 'On my desk',
            search: `status=open&status=in_progress&assignee=${id}&sort=priority`,
            isShared: false,
          },
        ]
      : []),
    ...(sharedBy[fullName] ?? []).map((view) => ({ ...view, isShared: true })),
  ]
  return views.map((view, place) => ({
    id: `0192e4a0-0000-7000-8000-00000000e${member}0${place}`,
    ownerUserId: id,
    ...view,
  }))
})
