export const countedEvents = ['loaded', 'opened', 'closed', 'submitted'] as const
export type CountedEvent = (typeof countedEvents)[number]

export interface CountedWidget {
  readonly organizationId: string
  readonly projectId: string
}

/** A sum to be added. `hour` in milliseconds since 1970. */
export interface Count extends CountedWidget {
  readonly event: CountedEvent
  readonly hour: number
  n: number
}
