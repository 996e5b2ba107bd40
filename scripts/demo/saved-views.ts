import type { NewSavedView } from '#contract/triage.ts'
import { demoMembers } from './people.ts'

/** A state of the inbox that somebody of the demo's team has given a name. */
export interface DemoView extends NewSavedView {
  readonly ownerUserId: string
}

const sharedBy: Readonly<Record<string, readonly { name: string; search: string }[]>> = {
  'Maya Lindqvist': [{ name: 'Unhappy visitors', search: 'rating=1&rating=2&date=90d' }],
  'Tomás Herrera': [
    { name: 'Pressing bugs', search: 'status=new&status=open&priority=high&priority=urgent&type=bug' },
    { name: 'Nobody’s yet', search: 'status=open&assignee=none' },
  ],
  'Noor Haddad': [{ name: 'Checkout', search: 'q=checkout' }],
}

/** What the team looks at together, and what each keeps for themselves. */
export const demoViews: readonly DemoView[] = demoMembers.flatMap(({ id, fullName, share }, member) => {
  const views = [
    // What a member works on; a viewer works on nothing.
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
