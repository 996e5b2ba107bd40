import { createHmac } from 'node:crypto'
import Type from 'typebox'
import { defineIntegration } from '../define-integration.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import type { Issue, IssueStatus, Tracker, TrackerApi } from './tracker.ts'

/* A tracker as large ones are: several statuses of a stage, and issues take all that they may carry. For tests alone. */

const settings = Type.Object({ url: Type.String({ title: 'Address', format: 'uri' }) })
type Api = TrackerApi<Type.Static<typeof settings>>

/** A card as the board's API answers it. */
export interface Card {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly labels: readonly string[]
  readonly priority: string | null
  readonly assigneeEmail: string | null
  readonly statusId: string
}

export const boardStatuses: readonly IssueStatus[] = [
  { id: 's1', name: 'Backlog', stage: 'todo' },
  { id: 's2', name: 'Triage', stage: 'todo' },
  { id: 's3', name: 'Doing', stage: 'started' },
  { id: 's4', name: 'Review', stage: 'started' },
  { id: 's5', name: 'Done', stage: 'done' },
  { id: 's6', name: 'Shipped', stage: 'done' },
  { id: 's7', name: 'Won’t do', stage: 'dropped' },
]

const tracker: Tracker<Type.Static<typeof settings>> = {
  markers: 'link',
  takes: ['labels', 'priority', 'assignee'],
  stages: ['todo', 'started', 'done', 'dropped'],
  create: async (api, { marker: _, ...draft }) => toIssue(await ask<Card>(api, '/cards', 'POST', draft)),
  findByMarker: async () => undefined,
  read: async (api, key) => {
    try {
      return toIssue(await ask<Card>(api, `/cards/${key}`))
    } catch (error) {
      if (error instanceof DeliveryFailure && error.status === 404) return undefined
      throw error
    }
  },
  listStatuses: (api) => ask<IssueStatus[]>(api, '/statuses'),
  setStage: async (api, key, stage, statusId) => {
    const statuses = await ask<IssueStatus[]>(api, '/statuses')
    const status = statuses.find(({ id }) => id === statusId) ?? statuses.find((each) => each.stage === stage)
    if (!status) throw new DeliveryFailure('The board has no status of this stage.')
    await ask(api, `/cards/${key}`, 'PATCH', { statusId: status.id })
    return status
  },
  listComments: async () => [],
  addComment: async () => crypto.randomUUID(),
  readReference: (_, text) => (/^\d+$/.test(text) ? text : undefined),
  readHook: ({ headers, body }, secret) => {
    if (headers['x-signature'] !== createHmac('sha256', secret).update(body).digest('hex')) return undefined
    return { id: headers['x-id'] ?? '', issueKeys: [body.toString()] }
  },
  listChanged: async () => [],
}

export const board = defineIntegration({
  type: 'board',
  name: 'Board',
  category: 'issues',
  summary: 'Cards on a board.',
  guide: null,
  settings,
  defaultEvents: ['feedback.created'],
  isSigned: true,
  tracker,
})

function toIssue({ id, title, statusId }: Card): Issue {
  const status = boardStatuses.find((each) => each.id === statusId)
  if (!status) throw new Error(`the board has no status ${statusId}`)
  return { key: id, label: `#${id}`, title, url: `https://board.example/${id}`, status }
}

async function ask<Answer>(
  { settings: { url }, send }: Api,
  path: string,
  method: 'GET' | 'POST' | 'PATCH' = 'GET',
  json?: unknown,
): Promise<Answer> {
  const answer = await send(`${url}${path}`, { method, ...(json !== undefined && { json }) })
  // The test's own answer.
  return JSON.parse(answer.body.toString()) as Answer
}
