import { useEffect } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { locationLabels, stageLabels } from '#web/shared/feedback-labels.ts'
import type { Filters } from '../filters/feedback-filters.ts'

const screenTitle = 'Feedback · Earshot'
const maxWords = 60

/**
 * Names the tab after what is in view, so that several tabs, bookmarks and the way back can be told apart: the open
 * item, or else the location, with how much in it is unread.
 */
export function useInboxTitle(
  place: Pick<Filters, 'location' | 'stage'>,
  item: Pick<FeedbackListItem, 'number' | 'excerpt'> | undefined,
  unread: number | undefined,
): void {
  const title = item ? describeItem(item) : describePlace(place, unread)
  useEffect(() => {
    document.title = title
  }, [title])
  // The next screen's own title follows only if it differs from the one that the router has set for this.
  useEffect(
    () => () => {
      document.title = screenTitle
    },
    [],
  )
}

function describeItem({ number, excerpt }: Pick<FeedbackListItem, 'number' | 'excerpt'>): string {
  const words = excerpt.length > maxWords ? `${excerpt.slice(0, maxWords).trimEnd()}…` : excerpt
  return [`#${number}`, words, '· Earshot'].filter(Boolean).join(' ')
}

function describePlace({ location, stage }: Pick<Filters, 'location' | 'stage'>, unread = 0): string {
  if (stage === 'done') return `${stageLabels.done} · ${screenTitle}`
  const count = unread === 0 ? '' : `(${unread > 99 ? '99+' : unread}) `
  return location === 'inbox' ? count + screenTitle : `${locationLabels[location]} · ${screenTitle}`
}
