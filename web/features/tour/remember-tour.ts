import { loadAuthClient } from '#web/lib/auth-client.ts'
import type { TourId } from '#web/lib/start-tour.ts'

/** Notes with the account that the person has seen the tour: no other device offers it again. */
export function rememberTour(tourId: TourId): void {
  // Not worth a message: the offer is shown once more.
  void loadAuthClient()
    .then((client) => client.updateUser({ data: { tours_seen: [tourId] } }))
    .catch(() => {})
}
