/*
 * The stored log: searches of a superadmin over a day of 1,000,000 lines (1 GB), beside the limit of 200 ms and beside grep over the
 * same lines as a file; what storing costs at ordinary load; requests and memory under a flood of lines, beside a server that stores
 * none; what is left of 1 GB of lines at once. Run: npm run bench -- logs
 */
import { measureFlood } from './logs/flood.ts'
import { measureGigabyte } from './logs/gigabyte.ts'
import { measureOrdinary } from './logs/ordinary.ts'
import { measureSearches } from './logs/searches.ts'

const parts: Readonly<Record<string, () => Promise<void>>> = {
  searches: measureSearches,
  ordinary: measureOrdinary,
  flood: measureFlood,
  gigabyte: measureGigabyte,
}
for (const name of (process.env.BENCH_PARTS ?? Object.keys(parts).join(',')).split(',')) await parts[name]?.()
