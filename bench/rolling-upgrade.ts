/*
 * Two processes of an earlier commit behind a load balancer, replaced by this version in turn under load: the first new process
 * migrates the database while the old ones answer. Run: BENCH_REF=v1.0.0 npm run bench -- rolling-upgrade. Default: the latest
 * tag, or else twenty commits back.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rollingRestart } from './faults/rolling-restart.ts'
import { printTable } from './harness/table.ts'

const root = join(import.meta.dirname, '..')
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
const ref = process.env.BENCH_REF ?? (git('tag', '--sort=-creatordate').split('\n')[0] || 'HEAD~20')
const folder = mkdtempSync(join(tmpdir(), 'earshot-rolling-upgrade-'))
const tree = join(folder, 'earlier')
git('worktree', 'add', '--detach', tree, ref)
try {
  // The packages of today: what differs is Earshot.
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  const migrations = (at: string) => git('ls-tree', '--name-only', at, 'db/migrations/').split('\n').length
  const { answered, failed, lost, doubled } = await rollingRestart(2, tree)
  const failures = Object.entries(failed).map(([what, count]) => `${what}: ${count}`)
  process.stdout.write('\nTwo processes replaced by the next version. Target: no failed request, nothing lost.\n\n')
  printTable(
    ['from', 'new migrations', 'answered', 'failed', 'lost', 'doubled'],
    [
      [
        git('rev-parse', '--short', ref),
        String(migrations('HEAD') - migrations(ref)),
        String(answered),
        failures.join(', ') || '0',
        String(lost),
        String(doubled),
      ],
    ],
  )
} finally {
  git('worktree', 'remove', '--force', tree)
  rmSync(folder, { recursive: true, force: true })
}
