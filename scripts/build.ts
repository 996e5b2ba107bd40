import { buildIfStale } from './launch/build-if-stale.ts'
import { createCleanUp, fail } from './launch/clean-up.ts'

try {
  await buildIfStale()
} catch (error) {
  await fail(error, createCleanUp())
}
