/** Tours by their ids. There is one. */
export type TourId = 'welcome'

/** A window event with a tour's id in its detail, which starts the tour. */
export const startTourEvent = 'earshot:start-tour'

export interface StartTourDetail {
  readonly tourId: TourId
}

export function startTour(tourId: TourId): void {
  window.dispatchEvent(new CustomEvent<StartTourDetail>(startTourEvent, { detail: { tourId } }))
}

/**
 * Whether the person has taken or left a tour, on any device.
 *
 * @param metadata of the signed-in user.
 */
export function hasSeenTour(metadata: Readonly<Record<string, unknown>>, tourId: TourId): boolean {
  return Array.isArray(metadata.tours_seen) && metadata.tours_seen.includes(tourId)
}
