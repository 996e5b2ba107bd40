/* Runs benchmarks by name, one after another: npm run bench -- ingest inbox. Without a name, lists them. */
const benches: Readonly<Record<string, { about: string; run: () => Promise<unknown> }>> = {
  ingest: { about: 'submissions accepted per second, beside pgbench', run: () => import('./ingest.ts') },
  'ingest-integrations': {
    about: 'what three integrations cost visitors',
    run: () => import('./ingest-integrations.ts'),
  },
  'ingest-limits': { about: 'what limits of plans cost visitors', run: () => import('./ingest-limits.ts') },
  overload: { about: 'three times the submissions that the server sustains', run: () => import('./overload.ts') },
  pages: { about: 'public pages per second, beside rendering each', run: () => import('./pages.ts') },
  backup: { about: 'a backup while visitors send, beside the disk', run: () => import('./backup.ts') },
  'backup-kills': {
    about: 'random instances restored, backup and restore killed',
    run: () => import('./backup-kills.ts'),
  },
  upgrade: { about: 'from the first schema with 1,000,000 items: times and locks', run: () => import('./upgrade.ts') },
  'upgrade-kills': {
    about: 'upgrades killed at random, of the schema and of PostgreSQL 17',
    run: () => import('./upgrade-kills.ts'),
  },
  'migration-locks': {
    about: 'submissions while a migration waits for its lock',
    run: () => import('./migration-locks.ts'),
  },
  'rolling-upgrade': {
    about: 'two processes of an earlier commit replaced by this one under load',
    run: () => import('./rolling-upgrade.ts'),
  },
  'rolling-restart': { about: 'two processes restarted in turn under load', run: () => import('./rolling-restart.ts') },
  failover: {
    about: 'the primary of a Patroni cluster killed under load, two web and two worker processes',
    run: () => import('./failover.ts'),
  },
  bulk: { about: '10,000 items changed at once while visitors send', run: () => import('./bulk.ts') },
  export: { about: 'exports of 100,000 items: memory and time', run: () => import('./export.ts') },
  inbox: { about: 'first page of the inbox at 1,000,000 items, beside 10,000', run: () => import('./inbox.ts') },
  mcp: { about: 'searches of agents at 1,000,000 items, beside the dashboard’s', run: () => import('./mcp.ts') },
  deliveries: {
    about: 'events at a webhook, beside an address that never answers',
    run: () => import('./deliveries.ts'),
  },
  'deliveries-killed': {
    about: 'the worker killed while a webhook is delivered',
    run: () => import('./deliveries-killed.ts'),
  },
  'two-way': { about: 'a change of an item at its GitHub issue, and back', run: () => import('./two-way.ts') },
  'inbox-scroll': { about: 'scrolling through 10,000 rows of the inbox', run: () => import('./inbox-scroll.ts') },
  analytics: { about: 'every chart at 1,000,000 items, beside 10,000', run: () => import('./analytics.ts') },
  lifecycle: {
    about: 'export, erasure, trash, retention and charts at 1,000,000 items, beside 10,000',
    run: () => import('./lifecycle.ts'),
  },
  organization: {
    about: 'every screen with 1,000 members and 500 projects, beside 3 and 2',
    run: () => import('./organization.ts'),
  },
  'sign-in': { about: 'sign-ins and refreshes per second, beside argon2id', run: () => import('./sign-in.ts') },
  image: { about: 'the image of deploy/Dockerfile, built and run without an engine', run: () => import('./image.ts') },
  package: { about: 'the npm package, cold and warm, to the first answer', run: () => import('./package.ts') },
  memory: { about: 'everything that npx earshot starts: idle, under load, after it', run: () => import('./memory.ts') },
  'many-organizations': {
    about: '100,000 organisations beside 1,000: members, visitors, superadmins and jobs',
    run: () => import('./many-organizations.ts'),
  },
  'superadmin-lists': { about: 'lists of superadmins at 100,000 users', run: () => import('./superadmin-lists.ts') },
  start: { about: 'from `npm start` to the first answer, on existing data', run: () => import('./start.ts') },
  capture: { about: 'pictures of pages, beside snapdom and html2canvas-pro', run: () => import('./capture.ts') },
  loader: { about: 'the widget’s cost for a page, beside Sentry’s', run: () => import('./loader.ts') },
  'serve-loader': { about: 'the loader’s answers per second, beside nginx', run: () => import('./serve-loader.ts') },
  web: { about: 'first loads on a slow machine, beside a bare React page', run: () => import('./web.ts') },
  lighthouse: { about: 'every public page by Lighthouse, beside its limits', run: () => import('./lighthouse.ts') },
  faults: { about: 'what the product survives: kills, outages, a full disk', run: () => import('./faults.ts') },
  monitoring: {
    about: 'processor time and memory of monitoring, beside its limits',
    run: () => import('./monitoring.ts'),
  },
  logs: { about: 'searches of 1,000,000 stored log lines, and what storing costs', run: () => import('./logs.ts') },
  scrub: { about: 'the log’s scrubber, beside its limits', run: () => import('./scrub.bench.ts') },
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in benches))
if (names.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) process.stderr.write(`No such benchmark: ${unknown.join(', ')}.\n`)
  process.stdout.write('Usage: npm run bench -- <name> …\n\n')
  for (const [name, { about }] of Object.entries(benches)) process.stdout.write(`  ${name.padEnd(18)}${about}\n`)
  process.exitCode = unknown.length > 0 ? 1 : 0
}
for (const name of names.filter((each) => each in benches)) await benches[name]?.run()
