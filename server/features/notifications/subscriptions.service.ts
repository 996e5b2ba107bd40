import type { Subscription } from '#contract/notifications.ts'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { changeSubscription, findSubscription } from './subscriptions.queries.ts'
import type { UnsubscribeLinks } from './unsubscribe-link.ts'

/** Ends and resumes a kind of email without signing in, by the link in an email. */
export interface Subscriptions {
  /** @throws ProductError `subscription_not_found`. */
  get(token: string): Promise<Subscription>
  /** A repeat changes nothing. @throws ProductError `subscription_not_found`. */
  update(token: string, isSubscribed: boolean): Promise<Subscription>
}

const reason = 'a signed address stands for one member'

export function createSubscriptions(database: Database, links: UnsubscribeLinks): Subscriptions {
  function read(token: string) {
    const of = links.readToken(token)
    if (!of) throw new ProductError('subscription_not_found')
    return of
  }

  return {
    async get(token) {
      const of = read(token)
      const found = await database.asSystem(reason, (tx) => findSubscription(tx, of))
      if (!found) throw new ProductError('subscription_not_found')
      return found
    },
    async update(token, isSubscribed) {
      const of = read(token)
      const found = await database.asSystem(reason, async (tx) => {
        await changeSubscription(tx, of, isSubscribed)
        return findSubscription(tx, of)
      })
      if (!found) throw new ProductError('subscription_not_found')
      return found
    },
  }
}
