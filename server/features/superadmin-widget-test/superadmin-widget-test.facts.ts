import type { Facts } from '#server/testing/facts.ts'

export const facts: Facts = {
  // Items of tests over all routes were sent by visitors.
  routes: {
    removeTestItem: { refusal: 'feedback_not_found' },
    exportTestedProjects: { body: () => ({}), fullBody: () => ({ search: 'shop', order: 'latest' }) },
  },
}
