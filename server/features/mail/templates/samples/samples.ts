import { billingSamples } from './billing.samples.ts'
import { feedbackSamples } from './feedback.samples.ts'
import { operationSamples } from './operation.samples.ts'
import type { Sample } from './sample.ts'
import { signInSamples } from './sign-in.samples.ts'
import { teamSamples } from './team.samples.ts'

/** Samples of every template, by its id. The first is the usual case. */
export const samples: Readonly<Record<string, readonly Sample[]>> = {
  ...signInSamples,
  ...teamSamples,
  ...feedbackSamples,
  ...billingSamples,
  ...operationSamples,
}
