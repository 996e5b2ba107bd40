import { createCleanUp, fail } from '#cli/launch/clean-up.ts'
import { buildIfStale } from './build-if-stale.ts'

try {
  await buildIfStale()
} catch (error) {
  await fail(error, createCleanUp())
}
