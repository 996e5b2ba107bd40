/*
 * An item and its GitHub issue: how long until a change of one is visible at the other. GitHub is its emulator, which calls
 * Earshot by signed webhooks. Run: npm run bench -- two-way
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createEmulator } from 'emulate'
import type { FeedbackDetail } from '#contract/feedback.ts'
import type { IssueLink } from '#contract/issue-links.ts'
import { createFeedback } from '#server/testing/builders.ts'
import { findFreePorts } from '../e2e/start-product.ts'
import { makeOwner } from './harness/owner.ts'
import { startBenchServer } from './harness/server.ts'
import { percentile, printTable } from './harness/table.ts'

const changes = Number(process.env.BENCH_CHANGES ?? 50)
const targetMs = 3_000
const patienceMs = 90_000
const pollMs = 10

const token = 'github_pat_of_the_bench'
const repository = 'octocat/website'
const [githubPort = 0] = await findFreePorts(1)
const github = await createEmulator({
  service: 'github',
  port: githubPort,
  seed: {
    tokens: { [token]: { login: 'octocat', scopes: ['repo'] } },
    github: {
      users: [{ login: 'octocat', name: 'The Octocat', email: 'octocat@example.com' }],
      repos: [{ owner: 'octocat', name: 'website', auto_init: true }],
    },
  },
})
const server = await startBenchServer({ OUTBOUND_ALLOWED_HOSTS: new URL(github.url).host })
try {
  const owner = await makeOwner(server)
  const { organizationId } = owner
  const config = { repository, token, apiUrl: github.url }
  const { id: integrationId, secret } = await owner.connect({ type: 'github', config })
  const url = `${server.url}/api/v1/hooks/${organizationId}/${integrationId}`
  await askGitHub('/hooks', { events: ['issues', 'issue_comment'], config: { url, content_type: 'json', secret } })
  const { id } = await createFeedback(server.sql, { organizationId, projectId: owner.project.id, message: 'It jumps.' })
  await owner.call(`/feedback/${id}/issues`, { body: { integrationId } })
  const number = await findNumber(id)

  const outward: number[] = []
  const inward: number[] = []
  for (let change = 0; change < changes; change += 1) {
    outward.push(
      await measure(
        async () => {
          const { version } = await readItem(id)
          await owner.call(`/feedback/${id}`, { method: 'PATCH', body: { status: 'resolved', version } })
        },
        async () => (await readIssue(number)).state === 'closed',
      ),
    )
    inward.push(
      await measure(
        () => askGitHub(`/issues/${number}`, { state: 'open' }, 'PATCH'),
        async () => (await readItem(id)).status === 'open',
      ),
    )
  }
  process.stdout.write(`\n${changes} changes of status each way, until they are visible at the other side.\n\n`)
  const toCells = (times: readonly number[]) =>
    [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)].map((ms) => `${ms.toFixed(0)} ms`)
  printTable(
    ['change', 'p50', 'p95', 'slowest', 'target'],
    [
      ['of the item, at the issue', ...toCells(outward), `p95 ≤ ${targetMs} ms`],
      ['of the issue, at the item', ...toCells(inward), `p95 ≤ ${targetMs} ms`],
    ],
  )

  function readItem(itemId: string): Promise<FeedbackDetail> {
    return owner.call<FeedbackDetail>(`/feedback/${itemId}`)
  }

  async function findNumber(itemId: string): Promise<string> {
    for (const until = performance.now() + patienceMs; performance.now() < until; await pause(pollMs)) {
      const [link] = (await owner.call<{ items: IssueLink[] }>(`/feedback/${itemId}/issues`)).items
      if (link?.label) return link.label.split('#')[1] ?? ''
    }
    throw new Error('the item got no issue')
  }
} finally {
  await server.stop()
  await github.close()
}

async function askGitHub<Answer>(path: string, body?: object, method?: string): Promise<Answer> {
  const reply = await fetch(`${github.url}/repos/${repository}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`GitHub ${path}: ${reply.status}`)
  // The emulator's answer.
  return (await reply.json()) as Answer
}

function readIssue(number: string): Promise<{ state: string }> {
  return askGitHub(`/issues/${number}`)
}

/** Milliseconds from the answer to a change until it is seen. @throws Error when it never is. */
async function measure(act: () => Promise<unknown>, isSeen: () => Promise<boolean>): Promise<number> {
  await act()
  const since = performance.now()
  while (!(await isSeen())) {
    if (performance.now() - since > patienceMs) throw new Error('a change never reached the other side')
    await pause(pollMs)
  }
  return performance.now() - since
}
