import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Export } from '#contract/exports.ts'
import type { FeedbackDetail, FeedbackListItem } from '#contract/feedback.ts'
import type { Import, ImportMapping, ImportProblem, ImportSummary } from '#contract/imports.ts'
import { createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { eventually, type FilesFixture, openFilesFixture } from '#server/testing/files-fixture.ts'

/* From another tool's file to items in the inbox, and their undo. */
let fixture: FilesFixture
let organizationId: string
let base: string

beforeAll(async () => {
  fixture = await openFilesFixture({ API_RATE_PER_MINUTE: '100000' })
  organizationId = fixture.project.organizationId
  base = `/api/v1/organizations/${organizationId}`
})
afterAll(() => fixture.stop())

const api = (path: string, options: { method?: string; body?: unknown; token?: string } = {}) =>
  fixture.server.call(base + path, { token: fixture.token, ...options })

async function makeProject(): Promise<string> {
  return (await createProject(fixture.server.client, { organizationId })).id
}

const questions = [
  { id: 'plan', kind: 'select', label: 'Plan', required: true, options: ['Free', 'Pro'] },
  { id: 'reachable', kind: 'checkbox', label: 'May we call?', required: false },
  { id: 'place', kind: 'text', label: 'Where', required: false },
  { id: 'kind', kind: 'text', label: 'Type', required: false },
]

/** Lets a project's widget ask questions of its own. */
async function ask(projectId: string, fields: unknown): Promise<void> {
  await fixture.server.client.query(
    `update widgets set settings = jsonb_set(settings, '{fields}', $2::jsonb) where project_id = $1`,
    [projectId, JSON.stringify(fields)],
  )
}

async function begin(projectId?: string): Promise<string> {
  const id = randomUUID()
  const body = { id, projectId: projectId ?? (await makeProject()), name: 'ideas.csv' }
  expect((await api('/imports', { body })).status).toBe(201)
  return id
}

const send = (id: string, file: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`${fixture.server.url}${base}/imports/${id}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/octet-stream', ...headers },
    body: file,
  })

const read = async (id: string): Promise<Import> => (await (await api(`/imports/${id}`)).json()) as Import

async function list(projectId: string, location = 'inbox'): Promise<FeedbackListItem[]> {
  const reply = await api(`/feedback?projectId=${projectId}&location=${location}&limit=100&sort=oldest`)
  return ((await reply.json()) as { items: FeedbackListItem[] }).items
}

async function listProblems(id: string): Promise<ImportProblem[]> {
  return ((await (await api(`/imports/${id}/problems`)).json()) as { items: ImportProblem[] }).items
}

async function detail(id: string): Promise<FeedbackDetail> {
  return (await (await api(`/feedback/${id}`)).json()) as FeedbackDetail
}

/** Sends a file and goes through all steps, under the suggested mapping unless another is given. */
async function importFile(
  projectId: string,
  file: string | Uint8Array<ArrayBuffer>,
  mapping?: ImportMapping,
): Promise<Import> {
  const id = await begin(projectId)
  const sent = await send(id, file)
  expect(sent.status, await sent.clone().text()).toBe(200)
  const { layout } = (await sent.json()) as Import
  const checked = await api(`/imports/${id}/check`, { body: mapping ?? layout?.suggestion })
  expect(checked.status, await checked.clone().text()).toBe(200)
  await eventually(async () => (await read(id)).state).toBe('checked')
  expect((await api(`/imports/${id}/start`, { method: 'POST' })).status).toBe(200)
  await eventually(async () => (await read(id)).state).toBe('imported')
  return read(id)
}

describe('an import', () => {
  it('of a file with a NUL shows and stores it as a space', async () => {
    const projectId = await makeProject()
    const imported = await importFile(projectId, 'Message,Pl\u0000an\nIt is\u0000broken,\u0000Pro\n')
    expect(imported).toMatchObject({ accepted: 1, layout: { columns: [{ name: 'Message' }, { name: 'Pl an' }] } })
    expect(imported.layout?.rows).toEqual([['It is broken', ' Pro']])
    const [item] = await list(projectId)
    expect(item?.excerpt).toBe('It is broken')
    const json = await importFile(projectId, JSON.stringify([{ message: 'A \u0000 in JSON' }]))
    expect(json.layout?.rows).toEqual([['A   in JSON']])
  })

  it('shows the file’s layout, checks every row, stores the valid ones, and can be undone', async () => {
    const projectId = await makeProject()
    const id = await begin(projectId)
    const file = [
      'Title;Details;Status;Category;Priority;Author Email;Tags;Created At;Plan;Score',
      'Dark mode;"Please, at ""night""";planned;Feature Request;critical;grace@example.org;ui, "a, b";2024-05-06;Pro;5',
      'Crash;;shipped;Bug;normal;;;2024-05-06 10:30:00;;',
      ';;;;;;;;;',
      'Wrong;x;someday;Bug;;not an address;;06/05/2024;;9',
      'Just a title;;;;;;;;;4.0',
    ].join('\r\n')
    const sent = await send(id, file)
    expect(sent.status).toBe(200)
    const { layout } = (await sent.json()) as Import
    expect(layout).toMatchObject({ format: 'csv', encoding: 'utf-8', delimiter: ';' })
    expect(layout?.rows[0]?.slice(0, 2)).toEqual(['Dark mode', 'Please, at "night"'])
    expect(layout?.suggestion.columns.map(({ field }) => field)).toEqual([
      'title',
      'message',
      'status',
      'type',
      'priority',
      'visitorEmail',
      'tags',
      'createdAt',
      'rating',
    ])
    const mapping: ImportMapping = {
      columns: [...(layout?.suggestion.columns ?? []), { column: 8, field: 'metadata' }],
      defaultType: 'question',
    }
    await api(`/imports/${id}/check`, { body: mapping })
    await eventually(async () => (await read(id)).state).toBe('checked')
    expect(await read(id)).toMatchObject({ total: 5, processed: 5, accepted: 4, refused: 1, incomplete: 1 })
    expect(await list(projectId)).toEqual([])
    expect(await listProblems(id)).toEqual([
      { row: 4, reason: 'it has neither a message nor a rating', isRowLeftOut: true },
      {
        row: 5,
        reason: expect.stringMatching(/Rating “9”.*Status “someday”.*Visitor email “not an address”.*Created at “06/),
        isRowLeftOut: false,
      },
    ])

    await api(`/imports/${id}/start`, { method: 'POST' })
    await eventually(async () => (await read(id)).state).toBe('imported')
    expect(await read(id)).toMatchObject({ accepted: 4, refused: 1, incomplete: 1 })
    const items = (await list(projectId)).sort((one, other) => one.number - other.number)
    expect(items).toMatchObject([
      {
        number: 1,
        source: 'import',
        type: 'idea',
        status: 'open',
        priority: 'urgent',
        tags: ['ui', 'a, b'],
        visitorEmail: 'grace@example.org',
        createdAt: '2024-05-06T00:00:00.000Z',
        rating: 5,
      },
      { number: 2, status: 'resolved', type: 'bug', priority: 'medium', createdAt: '2024-05-06T10:30:00.000Z' },
      // A value that cannot be read is lost, not its row.
      { number: 3, status: 'new', type: 'bug', excerpt: 'Wrong\n\nx', rating: null, visitorEmail: null },
      { number: 4, status: 'new', type: 'question', rating: 4 },
    ])
    const first = await detail(items[0]?.id ?? '')
    expect(first.message).toBe('Dark mode\n\nPlease, at "night"')
    expect(first.metadata).toEqual({ Plan: 'Pro' })

    // A second run of the job changes nothing.
    await fixture.server.client.query(`update imports set state = 'checked', storage_key = null where id = $1`, [id])
    await send(id, file)
    await api(`/imports/${id}/check`, { body: mapping })
    await eventually(async () => (await read(id)).state).toBe('checked')
    await Promise.all([1, 2].map(() => api(`/imports/${id}/start`, { method: 'POST' })))
    await eventually(async () => (await read(id)).state).toBe('imported')
    expect(await list(projectId)).toHaveLength(4)

    expect((await api(`/imports/${id}/undo`, { method: 'POST' })).status).toBe(200)
    await eventually(async () => (await read(id)).state).toBe('undone')
    expect(await list(projectId)).toEqual([])
    expect(await list(projectId, 'trash')).toHaveLength(4)
    // New items go on counting.
    const next = await createFeedback(fixture.server.client, { organizationId, projectId })
    expect(next.number).toBe(5)
  })

  it('reads a German list: its columns, words, marks and dates', async () => {
    const projectId = await makeProject()
    const file = [
      'Betreff;Nachricht;Mail;Name;Prio;Bearbeitungsstand;Kategorie;Note;Datum',
      'Lampe;Sie flackert;ada@example.org;Ada;hoch;erledigt;Fehler;2/5;06.05.2024',
      'Tisch;Bitte breiter;;;sehr hoch;in Arbeit;Wunsch;4 von 5;31.05.2024 09:30',
      'Stuhl;Danke;;;niedrig;Abgelehnt;Lob;5 Sterne;01.06.2024',
    ].join('\n')
    expect(await importFile(projectId, file)).toMatchObject({ accepted: 3, refused: 0, incomplete: 0 })
    expect(await list(projectId)).toMatchObject([
      {
        type: 'bug',
        status: 'resolved',
        priority: 'high',
        rating: 2,
        visitorEmail: 'ada@example.org',
        visitorName: 'Ada',
        createdAt: '2024-05-06T00:00:00.000Z',
      },
      {
        type: 'idea',
        status: 'in_progress',
        priority: 'urgent',
        rating: 4,
        createdAt: '2024-05-31T09:30:00.000Z',
      },
      { type: 'praise', status: 'closed', priority: 'low', rating: 5, createdAt: '2024-06-01T00:00:00.000Z' },
    ])
  })

  it('lists the values of columns with a guess beside each, and follows what is chosen for them', async () => {
    const projectId = await makeProject()
    const id = await begin(projectId)
    const file = [
      'Message,State,Mark,Day',
      'One,Ready to ship,1,03/04/2024',
      'Two,ready to ship,6,04/04/2024',
      'Three,DONE,2-,05/04/2024',
      'Four,nonsense,9,06/04/2024',
    ].join('\n')
    await send(id, file)
    const asked = [
      { column: 1, field: 'status' },
      { column: 2, field: 'rating', scale: 'school_grade' },
      { column: 3, field: 'createdAt' },
    ]
    const listed = await api(`/imports/${id}/values`, { body: { columns: asked } })
    expect(listed.status, await listed.clone().text()).toBe(200)
    expect(await listed.json()).toEqual({
      isWholeFile: true,
      columns: [
        {
          column: 1,
          values: [
            { value: 'Ready to ship', count: 2, guess: null },
            { value: 'DONE', count: 1, guess: 'resolved' },
            { value: 'nonsense', count: 1, guess: null },
          ],
          dates: { dayFirst: 0, monthFirst: 0, ambiguous: 0 },
        },
        {
          column: 2,
          values: [
            { value: '1', count: 1, guess: '5' },
            { value: '6', count: 1, guess: '1' },
            { value: '2-', count: 1, guess: '4' },
            { value: '9', count: 1, guess: null },
          ],
          dates: { dayFirst: 0, monthFirst: 0, ambiguous: 0 },
        },
        { column: 3, values: null, dates: { dayFirst: 0, monthFirst: 0, ambiguous: 4 } },
      ],
    })
    const status = [
      { from: 'Ready to ship', to: 'in_progress' },
      { from: 'nonsense', to: null },
    ]
    const columns: ImportMapping['columns'] = [
      { column: 0, field: 'message' },
      { column: 1, field: 'status', values: status },
      { column: 2, field: 'rating', scale: 'school_grade' },
      { column: 3, field: 'createdAt', dateOrder: 'day_first' },
    ]
    for (const [at, values] of [
      [1, [{ from: 'x', to: 'someday' }]],
      [3, [{ from: 'x', to: 'new' }]],
    ] as const) {
      const wrong = columns.map((column, place) => (place === at ? { ...column, values } : column))
      const refused = await api(`/imports/${id}/check`, { body: { columns: wrong, defaultType: 'bug' } })
      expect(refused.status).toBe(400)
    }
    await api(`/imports/${id}/check`, { body: { columns, defaultType: 'bug' } })
    await eventually(async () => (await read(id)).state).toBe('checked')
    // A value that the person leaves out is no problem.
    expect(await listProblems(id)).toEqual([
      { row: 5, reason: 'Rating “9” is no rating from 1 to 5', isRowLeftOut: false },
    ])
    await api(`/imports/${id}/start`, { method: 'POST' })
    await eventually(async () => (await read(id)).state).toBe('imported')
    expect(
      (await list(projectId)).map(({ status: now, rating, createdAt }) => [now, rating, createdAt.slice(0, 10)]),
    ).toEqual([
      ['in_progress', 5, '2024-04-03'],
      ['in_progress', 1, '2024-04-04'],
      ['resolved', 4, '2024-04-05'],
      ['new', null, '2024-04-06'],
    ])
    expect((await api(`/imports/${id}/values`, { body: { columns: asked } })).status).toBe(409)
  })

  it('suggests the order of dates where a number over 12 tells it', async () => {
    const suggest = async (file: string) => {
      const { layout } = (await (await send(await begin(), file)).json()) as Import
      return layout?.suggestion.columns.find(({ field }) => field === 'createdAt')?.dateOrder
    }
    expect(await suggest('Message,Date\na,03/04/2024\nb,31/04/2024')).toBe('day_first')
    expect(await suggest('Message,Date\na,03/04/2024\nb,04/31/2024')).toBe('month_first')
    expect(await suggest('Message,Date\na,03/04/2024')).toBeUndefined()
  })

  it('answers the project’s own questions, each by its kind, and names what is no answer', async () => {
    const projectId = await makeProject()
    await ask(projectId, questions)
    const id = await begin(projectId)
    const file = [
      'Message,Plan,May we call?,Where,Type',
      'First,pro,YES,"In the hall, left",bug',
      'Second,,no,,',
      'Third,Gold,perhaps,x,',
      `Fourth,Free,,${'x'.repeat(2_001)},`,
    ].join('\n')
    const { layout, questions: told } = (await (await send(id, file)).json()) as Import
    expect(told).toEqual([
      { id: 'plan', kind: 'select', label: 'Plan', options: ['Free', 'Pro'] },
      { id: 'reachable', kind: 'checkbox', label: 'May we call?' },
      { id: 'place', kind: 'text', label: 'Where' },
      { id: 'kind', kind: 'text', label: 'Type' },
    ])
    // A column named as in our own exports has their meaning.
    expect(layout?.suggestion.columns).toEqual([
      { column: 0, field: 'message' },
      { column: 1, field: 'answer', question: 'plan' },
      { column: 2, field: 'answer', question: 'reachable' },
      { column: 3, field: 'answer', question: 'place' },
      { column: 4, field: 'type' },
    ])
    for (const [columns, path] of [
      [
        [
          { column: 0, field: 'message' },
          { column: 1, field: 'answer', question: 'unknown' },
        ],
        'body.columns.1.question',
      ],
      [[1, 2].map((column) => ({ column, field: 'answer', question: 'plan' })), 'body.columns.1.question'],
    ] as const) {
      const refused = await api(`/imports/${id}/check`, { body: { columns, defaultType: 'bug' } })
      expect(await refused.json()).toMatchObject({ code: 'validation_failed', fields: [{ path }] })
    }
    await api(`/imports/${id}/check`, { body: layout?.suggestion })
    await eventually(async () => (await read(id)).state).toBe('checked')
    expect(await listProblems(id)).toEqual([
      {
        row: 4,
        reason: 'Plan “Gold” is none of Free, Pro; May we call? “perhaps” is neither yes nor no',
        isRowLeftOut: false,
      },
      { row: 5, reason: 'Where is longer than 2,000 characters', isRowLeftOut: false },
    ])
    await api(`/imports/${id}/start`, { method: 'POST' })
    await eventually(async () => (await read(id)).state).toBe('imported')
    const items = await Promise.all((await list(projectId)).map((item) => detail(item.id)))
    const answers = new Map(items.map(({ message, fields }) => [message, fields]))
    expect(answers.get('First')).toEqual([
      { id: 'plan', label: 'Plan', value: 'Pro' },
      { id: 'reachable', label: 'May we call?', value: true },
      { id: 'place', label: 'Where', value: 'In the hall, left' },
    ])
    expect(answers.get('Third')).toEqual([{ id: 'place', label: 'Where', value: 'x' }])
    expect(answers.get('Second')).toEqual([{ id: 'reachable', label: 'May we call?', value: false }])
  })

  it('lists visitors, and adds known words for later mistyped searches', async () => {
    const projectId = await makeProject()
    await importFile(projectId, 'Message,Email\nThe wardrobe wobbles,Imported@example.org')
    const search = async (path: string) => ((await (await api(path)).json()) as { items: unknown[] }).items
    await eventually(async () => search('/visitors?q=imported')).toMatchObject([{ key: 'imported@example.org' }])
    await eventually(async () => search(`/feedback?projectId=${projectId}&q=wardrode`)).toHaveLength(1)
  })

  it('stays listed, and can be undone from the list for a month', async () => {
    const projectId = await makeProject()
    const { id } = await importFile(projectId, 'Message\nOne\nTwo')
    const find = async () => {
      const { items } = (await (await api('/imports')).json()) as { items: ImportSummary[] }
      return items.find((each) => each.id === id)
    }
    const listed = await find()
    expect(listed).toMatchObject({
      projectId,
      name: 'ideas.csv',
      state: 'imported',
      accepted: 2,
      refused: 0,
      createdByName: 'Ada Example',
    })
    expect(listed).not.toHaveProperty('layout')
    const daysLeft = (Date.parse(listed?.undoUntil ?? '') - Date.now()) / 86_400_000
    expect(daysLeft).toBeGreaterThan(29.9)
    await api(`/imports/${id}/undo`, { method: 'POST' })
    await eventually(async () => (await find())?.state).toBe('undone')
    expect((await find())?.undoUntil).toBe(null)
    await fixture.server.client.query(`update imports set state = 'imported', expires_at = now() where id = $1`, [id])
    expect(await find()).toBe(undefined)
    expect((await api(`/imports/${id}/undo`, { method: 'POST' })).status).toBe(404)
  })

  it('warns that the same file was imported before', async () => {
    const projectId = await makeProject()
    await importFile(projectId, 'Message\nOnce')
    const id = await begin(projectId)
    await send(id, 'Message\nOnce')
    expect((await read(id)).importedBeforeAt).toEqual(expect.any(String))
    expect((await api('/imports')).status).toBe(200)
  })

  it('continues after its worker crashed, and stores no partial batch', async () => {
    const projectId = await makeProject()
    const rows = Array.from({ length: 350 }, (_, at) => `Row ${at + 1}`)
    const id = await begin(projectId)
    await send(id, ['Message', ...rows].join('\n'))
    await fixture.server.client.query(
      `update imports set state = 'importing', run_id = $2, processed = 101, accepted = 100,
         mapping = '{"columns": [{"column": 0, "field": "message"}], "defaultType": "bug"}' where id = $1`,
      [id, id],
    )
    await fixture.server.client.query('select graphile_worker.add_job($1, payload => $2::json)', [
      'run_import',
      JSON.stringify({ organizationId, id, runId: id, actorUserId: id }),
    ])
    await eventually(async () => (await read(id)).state).toBe('imported')
    expect(await read(id)).toMatchObject({ total: 350, accepted: 350 })
    const { rows: counted } = await fixture.server.client.query(
      'select count(*)::integer as n, (select feedback_count::integer from project_counters where project_id = $1) as told from feedback where project_id = $1',
      [projectId],
    )
    expect(counted).toEqual([{ n: 250, told: 250 }])
  })

  it('stops when it is cancelled; the items imported so far can be undone', async () => {
    const projectId = await makeProject()
    const id = await begin(projectId)
    await send(id, ['Message', ...Array.from({ length: 20_000 }, (_, at) => `Row ${at}`)].join('\n'))
    await api(`/imports/${id}/check`, { body: { columns: [{ column: 0, field: 'message' }], defaultType: 'bug' } })
    await api(`/imports/${id}/start`, { method: 'POST' })
    await eventually(async () => (await read(id)).processed).toBeGreaterThan(100)
    expect(((await (await api(`/imports/${id}/cancel`, { method: 'POST' })).json()) as Import).state).toBe('cancelled')
    await api(`/imports/${id}/undo`, { method: 'POST' })
    await eventually(async () => (await read(id)).state).toBe('undone')
    const { rows } = await fixture.server.client.query(
      'select count(*)::integer as n from feedback where project_id = $1 and deleted_at is null',
      [projectId],
    )
    expect(rows).toEqual([{ n: 0 }])
  })
})

describe('an exported file', () => {
  it.each(['csv', 'json'])('as %s is imported unchanged', async (format) => {
    const { client } = fixture.server
    const projectId = await makeProject()
    const messages = ['=1+1', "'=1+1", '-5 °C', 'a "quote", and\na line\twith 🙂', '@you', '\u202eodd', 'Plain']
    for (const [at, message] of messages.entries()) {
      await createFeedback(client, {
        organizationId,
        projectId,
        message,
        createdAt: new Date(Date.UTC(2025, 0, 9 - at)),
      })
    }
    await client.query(
      `update feedback set type = 'idea', status = 'closed', closed_reason = 'wont_fix', priority = 'urgent', rating = 2,
         nps = 7, tags = '{"a, b",c,"=d"}', visitor_name = '+Grace', visitor_email = 'grace@example.org',
         visitor_id = '-7', fields = '{"plan": "Pro", "reachable": true, "kind": "=odd"}', page_url = 'https://shop.example/?a=1', page_title = '=Shop' where project_id = $1`,
      [projectId],
    )
    const asked = await api('/exports', { body: { id: randomUUID(), format, selection: { projectId: [projectId] } } })
    const { id } = (await asked.json()) as Export
    const readExport = async () => (await (await api(`/exports/${id}`)).json()) as Export
    await eventually(async () => (await readExport()).state).toBe('ready')
    const file = await fetch(fixture.server.url + (await readExport()).downloadUrl)
    const target = await makeProject()
    for (const each of [projectId, target]) await ask(each, questions)
    const done = await importFile(target, new Uint8Array(await file.arrayBuffer()))
    expect(done).toMatchObject({ accepted: messages.length, refused: 0 })
    const shape = async (from: string) =>
      Promise.all(
        (await list(from)).map(async ({ id: itemId }) => {
          const item = await detail(itemId)
          const { type, status, closedReason, priority, message, rating, nps, tags, createdAt, resolvedAt } = item
          const { visitorName, visitorEmail, visitorId, pageUrl, pageTitle, fields } = item
          return {
            ...{ type, status, closedReason, priority, message, rating, nps, tags, createdAt, resolvedAt },
            ...{ visitorName, visitorEmail, visitorId, pageUrl, pageTitle, fields },
          }
        }),
      )
    expect(await shape(target)).toEqual(await shape(projectId))
  })
})

describe('a file', () => {
  const bytes = (text: string, encoding: 'utf16le' | 'latin1') => new Uint8Array(Buffer.from(text, encoding))
  const swapped = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16())

  it.each([
    ['UTF-8 with a mark', new Uint8Array(Buffer.from('\ufeffMessage,Type\nGrün ✓,bug')), 'utf-8', 'Grün ✓'],
    ['UTF-16 with a mark', bytes('\ufeffMessage\tType\r\nGrün ✓\tbug\r\n', 'utf16le'), 'utf-16le', 'Grün ✓'],
    ['UTF-16, the other way round', swapped('\ufeffMessage;Type\nGrün ✓;bug'), 'utf-16be', 'Grün ✓'],
    ['UTF-16 without a mark', bytes('Message\tType\nPlain words\tbug', 'utf16le'), 'utf-16le', 'Plain words'],
    ['Latin-1', bytes('Message,Type\nGrün,bug', 'latin1'), 'windows-1252', 'Grün'],
    [
      'JSON in an object',
      '{"total": 1, "items": [{"details": "Grün", "author": {"email": "a@example.org"}}]}',
      'utf-8',
      'Grün',
    ],
    ['JSON with items that are none', '[{"message": "Grün"}, 5, null, {"message": }, "x"]', 'utf-8', 'Grün'],
    ['a sheet with one column', 'Message\nGrün\n', 'utf-8', 'Grün'],
    ['names that stand twice', 'Message,Name,Name\nGrün,a,b', 'utf-8', 'Grün'],
    ['rows of any length', 'Message,Type\nGrün\nx,bug,more,and,more', 'utf-8', 'Grün'],
  ])('as %s is understood', async (_, file, encoding, message) => {
    const projectId = await makeProject()
    const done = await importFile(projectId, file)
    expect(done.layout?.encoding).toBe(encoding)
    expect((await list(projectId)).map(({ excerpt }) => excerpt)).toContainEqual(expect.stringContaining(message))
  })

  it.each([
    ['nothing', '', /empty/],
    ['a gzip file', new Uint8Array(gzipSync('[{"message": "x"}]')), /compressed/],
    ['a ZIP file', new Uint8Array(Buffer.from('PK\x03\x04aaaa')), /ZIP/],
    ['10,000 columns', `${Array.from({ length: 10_000 }, (_, at) => `c${at}`).join(',')}\nx`, /at most 200/],
    ['JSON without items', '{"a": 1}', /No list/],
    ['JSON as deep as it is long', `[${'['.repeat(300_000)}`, /deeper than 64/],
    ['JSON that opens objects without end', '{"a":'.repeat(100_000), /No list/],
    ['JSON of numbers', '[1, 2, 3]', /no items/],
  ])('of %s is refused, with the reason, and leaves nothing', async (_, file, reason) => {
    const before = await readdir(join(fixture.dataDir, 'files', organizationId)).catch(() => [])
    const id = await begin()
    const reply = await send(id, file)
    expect(reply.status).toBe(422)
    expect(await reply.json()).toMatchObject({ code: 'import_file_unreadable', detail: expect.stringMatching(reason) })
    expect(await read(id)).toMatchObject({ state: 'waiting', layout: null })
    expect(await readdir(join(fixture.dataDir, 'files', organizationId)).catch(() => [])).toEqual(before)
  })

  it('that is too large, compressed or not bytes is refused', async () => {
    const id = await begin()
    expect((await send(id, new Uint8Array(51 * 1024 * 1024))).status).toBe(413)
    expect((await send(id, 'x', { 'content-encoding': 'gzip' })).status).toBe(415)
    expect((await send(id, 'x', { 'content-type': 'text/csv' })).status).toBe(415)
    expect(await read(id)).toMatchObject({ state: 'waiting' })
  })

  it('with hostile rows loses those rows alone', async () => {
    const projectId = await makeProject()
    const id = await begin(projectId)
    const long = 'x'.repeat(1024 * 1024)
    const file = JSON.stringify([
      { message: 'Fine', tags: [] },
      { message: long },
      { message: 'a\u0000b\ud800' },
      { message: '<script>alert(1)</script>', tags: Array.from({ length: 30 }, (_, at) => `t${at}`) },
      { message: { deep: { er: { and: { on: 1 } } } } },
      { message: 'Proto', __proto__: null, constructor: 'x' },
    ])
    await send(id, file)
    const { layout } = await read(id)
    await api(`/imports/${id}/check`, { body: layout?.suggestion })
    await eventually(async () => (await read(id)).state).toBe('checked')
    expect(await listProblems(id)).toEqual([
      { row: 2, reason: 'Message is longer than 10,000 characters', isRowLeftOut: true },
      { row: 4, reason: 'it has 30 tags, of which 20 can be kept', isRowLeftOut: false },
      { row: 5, reason: 'it has neither a message nor a rating', isRowLeftOut: true },
    ])
    await api(`/imports/${id}/start`, { method: 'POST' })
    await eventually(async () => (await read(id)).state).toBe('imported')
    expect((await list(projectId)).map(({ excerpt }) => excerpt).sort()).toEqual([
      '<script>alert(1)</script>',
      'Fine',
      'Proto',
      'a b\ufffd',
    ])
  })

  it('that ends in the middle of a quote or an item keeps the rows before', async () => {
    for (const [file, reason] of [
      [`Message,Type\n${'Fine,bug\n'.repeat(150)}"never closed${'x\n'.repeat(1_500_000)}`, /never closed/],
      [`[${'{"message": "Fine"},'.repeat(150)}{"message": "half`, /breaks off/],
    ] as const) {
      const projectId = await makeProject()
      const id = await begin(projectId)
      expect((await send(id, file)).status).toBe(200)
      await api(`/imports/${id}/check`, { body: { columns: [{ column: 0, field: 'message' }], defaultType: 'bug' } })
      await eventually(async () => (await read(id)).state).toBe('failed')
      expect(await read(id)).toMatchObject({ note: expect.stringMatching(reason), accepted: 0, undoUntil: null })
      expect(await list(projectId)).toEqual([])
    }
  })
})

describe('imports of others', () => {
  it('are not found', async () => {
    const id = await begin()
    const stranger = await createUser(fixture.server.client)
    const token = await fixture.server.signIn(stranger)
    const theirs = `/api/v1/organizations/${stranger.organizationId}`
    for (const path of [`/imports/${id}`, `/imports/${id}/problems`]) {
      expect((await fixture.server.call(theirs + path, { token })).status).toBe(404)
    }
    for (const step of ['start', 'cancel', 'undo']) {
      expect((await fixture.server.call(`${theirs}/imports/${id}/${step}`, { method: 'POST', token })).status).toBe(404)
    }
    const body = { id: randomUUID(), projectId: fixture.project.id, name: 'x' }
    const reply = await fixture.server.call(`${theirs}/imports`, { token, body })
    expect(await reply.json()).toMatchObject({ code: 'project_not_found' })
  })

  it('of the organisation can be continued by every member', async () => {
    const id = await begin()
    await send(id, 'Message\nHello')
    const viewer = await createMember(fixture.server.client, { organizationId, role: 'viewer' })
    const token = await fixture.server.signIn(viewer)
    const body = { columns: [{ column: 0, field: 'message' }], defaultType: 'bug' }
    expect((await api(`/imports/${id}/check`, { body, token })).status).toBe(200)
    for (const wrong of [
      { columns: [{ column: 5, field: 'message' }], defaultType: 'bug' },
      { columns: [{ column: 0, field: 'tags' }], defaultType: 'bug' },
      { columns: [{ column: 0, field: 'answer' }], defaultType: 'bug' },
      { columns: [{ column: 0, field: 'answer', question: 'unknown' }], defaultType: 'bug' },
    ]) {
      expect((await api(`/imports/${id}/check`, { body: wrong, token })).status).toBe(400)
    }
  })
})
