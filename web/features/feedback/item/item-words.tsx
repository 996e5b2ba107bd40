import type { ReactNode } from 'react'
import type { FeedbackDetail, FeedbackListItem } from '#contract/feedback.ts'
import { typeLabels } from '#contract/feedback-labels.ts'
import { Badge } from '#web/ui/badge.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { TypeIcon } from '../feedback-icons.tsx'
import { describeWordless } from '../inbox/feedback-row.tsx'

/** An item of which the list's row is there, and perhaps everything. */
export type ShownItem = FeedbackListItem & Partial<FeedbackDetail>

/** The frame of an item's page: its words, and beside them what it is. */
export function ItemPage({ children }: { children: ReactNode }) {
  return (
    <article className="mx-auto max-w-3xl px-4 py-5 @3xl:grid @3xl:max-w-6xl @3xl:grid-cols-[minmax(0,1fr)_17rem] @3xl:grid-rows-[auto_1fr] @3xl:gap-x-8 @5xl:grid-cols-[minmax(0,1fr)_20rem] @5xl:gap-x-10 sm:px-8 sm:py-7 @3xl:px-6">
      {children}
    </article>
  )
}

interface WhatItIs {
  item: ShownItem
  projectName: string | undefined
  /** Where in the list it is: `3 of 20`; undefined: not in it. */
  position: string | undefined
}

/** Kind, number, project and time of an item, above its words. */
export function ItemLine({ item, projectName, position }: WhatItIs) {
  return (
    <header className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base text-muted">
      <TypeIcon type={item.type} />
      <h2 className="font-medium text-foreground">
        {typeLabels[item.type]} <span className="tabular-nums">#{item.number}</span>
      </h2>
      {projectName !== undefined && (
        <>
          <span aria-hidden="true">·</span>
          <bdi className="min-w-0 truncate">{projectName}</bdi>
        </>
      )}
      <span aria-hidden="true">·</span>
      <RelativeTime iso={item.createdAt} />
      {item.source === 'test' && <Badge>Test</Badge>}
      {/* Where the list cannot be seen beside it. */}
      {position !== undefined && <span className="ml-auto text-sm tabular-nums lg:hidden">{position}</span>}
    </header>
  )
}

/** What the visitor wrote, as far as it is there. */
export function ItemMessage({ item }: { item: ShownItem }) {
  const words = item.message ?? item.excerpt
  if (words === '') return <p className="mt-4 text-lg text-muted">{describeWordless(item)}</p>
  return (
    <p
      dir="auto"
      className="mt-4 whitespace-pre-wrap text-lg [overflow-wrap:anywhere] [text-wrap:wrap] [unicode-bidi:isolate]"
    >
      {words}
    </p>
  )
}
