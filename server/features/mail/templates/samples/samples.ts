import { billingSamples } from './billing.samples.ts'
import { feedbackSamples } from './feedback.samples.ts'
import { operationSamples } from './operation.samples.ts'
import type { Sample } from './sample.ts'
import { signInSamples } from './sign-in.samples.ts'
import { teamSamples } from './team.samples.ts'

/** Samples of every template, by its id. The first is the usual case. */
export const samples: Readonly<Record<string, readonly Sample[]>> = {
  layout: [
    ...feedbackSamples['notifications.one'].slice(0, 1).map(({ render }) => ({ label: 'To a member', render })),
    ...signInSamples.magic_link.map(({ render }) => ({ label: 'About an account', render })),
  ],
  ...signInSamples,
  ...teamSamples,
  ...feedbackSamples,
  ...billingSamples,
  ...operationSamples,
}
