import { describe, expect, it } from 'vitest'
import type { IssueMapping } from '#contract/issue-mapping.ts'
import { createStageMap } from '#contract/stage-map.ts'
import { type MarkerKind, markComment } from './markers.ts'
import { type Stage, stages } from './merge-stages.ts'
import { type CommentPair, type ItemNote, syncIssue } from './sync-issue.ts'
import type { Issue, IssueComment, IssueStatus } from './tracker.ts'

/*
 * Both sides, changed by people in random order, while hints are repeated, reordered and lost, the tracker fails and the
 * process ends anywhere. Whatever happens, a last undisturbed run finds both alike. Trackers have several statuses of a
 * stage, and owners map them in any way, also in ways that contradict themselves.
 */

class Broken extends Error {}

/** A random number generator (mulberry32): one seed, one course of events. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const place = { appUrl: 'https://earshot.example', feedbackId: crypto.randomUUID() }

/** Trackers without some stages. */
const knownStages: readonly (readonly Stage[])[] = [stages, ['todo', 'done', 'dropped'], ['todo', 'started', 'done']]

/** Where people change the stage. */
type Choosing = 'item' | 'issue' | 'both'

/** Up to three statuses of each stage, in any order. */
function makeStatuses(random: () => number, known: readonly Stage[]): IssueStatus[] {
  return known
    .flatMap((stage) =>
      Array.from({ length: 1 + Math.floor(random() * 3) }, (_, at) => ({ stage, id: `${stage} ${at}` })),
    )
    .map(({ stage, id }) => ({ status: { id, name: id, stage }, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ status }) => status)
}

/** None for a third of all courses. Two stages may get one status, and a status that was deleted may be named. */
function makeMapping(random: () => number, statuses: readonly IssueStatus[]): IssueMapping {
  if (random() < 0.3) return {}
  const pickId = () => statuses[Math.floor(random() * (statuses.length + 1))]?.id ?? 'deleted'
  const pickStage = () => stages[Math.floor(random() * stages.length)] ?? 'todo'
  return {
    statuses: Object.fromEntries(stages.flatMap((stage) => (random() < 0.5 ? [[stage, pickId()]] : []))),
    stages: statuses.flatMap(({ id: statusId }) => (random() < 0.2 ? [{ statusId, stage: pickStage() }] : [])),
  }
}

function createWorld(random: () => number, known: readonly Stage[], choosing: Choosing) {
  const markers: MarkerKind = random() < 0.5 ? 'hidden' : 'link'
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const statuses = makeStatuses(random, known)
  const map = createStageMap(makeMapping(random, statuses), known)
  const item = { stage: 'todo' as Stage, version: 1, notes: [] as ItemNote[] }
  const issue = { status: pick(statuses), comments: [] as IssueComment[] }
  const memory = {
    agreed: map.count(issue.status),
    agreedItem: null as Stage | null,
    intended: null as Stage | null,
    pairs: [] as CommentPair[],
  }
  const written = { notes: [] as string[], comments: [] as string[], calls: 0 }
  /** What people last chose. */
  const chosen = { item: 'todo' as Stage, issue: undefined as IssueStatus | undefined }
  let isDisturbed = false
  let people = () => {}

  /** Anything may happen before and after each step of the server. */
  async function step<T>(act: () => T): Promise<T> {
    written.calls += 1
    if (isDisturbed) {
      if (random() < 0.3) people()
      if (random() < 0.08) throw new Broken('before the step')
    }
    const result = act()
    // It was done, and its answer was lost.
    if (isDisturbed && random() < 0.08) throw new Broken('after the step')
    return result
  }

  people = () => {
    const what = random()
    if (what < 0.25 && choosing !== 'issue') {
      item.stage = pick(stages)
      item.version += 1
      chosen.item = item.stage
    } else if (what < 0.5 && choosing !== 'item') {
      issue.status = pick(statuses)
      chosen.issue = issue.status
    } else if (what < 0.75) {
      const text = `note ${written.notes.length}`
      written.notes.push(text)
      item.notes.push({ id: crypto.randomUUID(), author: 'Ada', text })
    } else {
      const text = `comment ${written.comments.length}`
      written.comments.push(text)
      issue.comments.push({ id: String(issue.comments.length + 1), author: 'grace', text })
    }
  }

  const noteIds = new Map<string, string>()
  const readIssue = (): Issue => ({
    key: '1',
    label: 'acme/web#1',
    title: 'It jumps',
    url: 'https://tracker.example/1',
    status: issue.status,
  })
  const sync = () =>
    syncIssue({
      stages: map,
      toNoteId: (commentId) => {
        const id = noteIds.get(commentId) ?? crypto.randomUUID()
        noteIds.set(commentId, id)
        return id
      },
      item: {
        read: () => step(() => ({ ...item, notes: item.notes.filter(({ author }) => author === 'Ada') })),
        addNote: (note) =>
          step(() => {
            if (!item.notes.some(({ id }) => id === note.id)) item.notes.push(note)
          }),
      },
      issue: {
        read: () => step(readIssue),
        listStatuses: () => step(() => statuses),
        setStage: (stage, statusId) =>
          step(() => {
            const found = statuses.find(({ id }) => id === statusId) ?? statuses.find((each) => each.stage === stage)
            if (found) issue.status = found
            return issue.status
          }),
        listComments: () => step(() => [...issue.comments]),
        addCopy: (note) =>
          step(() => {
            const id = String(issue.comments.length + 1)
            issue.comments.push({ id, author: 'earshot', text: markComment(markers, place, note) })
            return id
          }),
      },
      memory: {
        agreed: memory.agreed,
        agreedItem: memory.agreedItem,
        intended: memory.intended,
        listPairs: () => step(() => [...memory.pairs]),
        addPair: (pair) =>
          step(() => {
            if (!memory.pairs.some(({ noteId }) => noteId === pair.noteId)) memory.pairs.push(pair)
          }),
        intend: (intended, agreed) =>
          step(() => {
            const agreedItem = agreed === memory.agreed ? memory.agreedItem : null
            Object.assign(memory, { agreed, agreedItem, intended })
          }),
        store: ({ status: { stage } }, agreedItem) =>
          step(() => {
            Object.assign(memory, { agreed: stage, agreedItem, intended: null })
          }),
        follow: ({ status: { stage } }, version) =>
          step(() => {
            if (version !== item.version) return false
            Object.assign(item, { stage, version: item.version + 1 })
            Object.assign(memory, { agreed: stage, agreedItem: stage, intended: null })
            return true
          }),
      },
    })
  return {
    item,
    issue,
    written,
    chosen,
    stageOfIssue: () => map.count(issue.status),
    aimOf: (stage: Stage) => map.aim(stage, statuses),
    people,
    sync,
    setDisturbed: (disturbed: boolean) => {
      isDisturbed = disturbed
    },
  }
}

const count = (texts: readonly string[], wanted: string) => texts.filter((text) => text.includes(`${wanted}`)).length

async function play(seed: number): Promise<void> {
  const random = createRandom(seed)
  const known = knownStages[Math.floor(random() * knownStages.length)] ?? stages
  const choosing = (['item', 'issue', 'both'] as const)[seed % 3] ?? 'both'
  const world = createWorld(random, known, choosing)
  // A new issue gets the status of its item first, which is a change of ours.
  if (choosing === 'issue') await world.sync()
  world.setDisturbed(true)
  for (let turn = 0; turn < 20; turn += 1) {
    if (random() < 0.5) world.people()
    else {
      await world.sync().catch((error: unknown) => {
        if (!(error instanceof Broken)) throw error
      })
    }
  }
  world.setDisturbed(false)
  for (let run = 0; run < 3; run += 1) await world.sync()
  const { item, issue, written, chosen } = world
  const alike = [item.stage, world.aimOf(item.stage).becomes]
  expect([seed, alike, alike.includes(world.stageOfIssue())]).toEqual([seed, alike, true])
  // Of changes on one side alone, none is lost or altered; where both sides change at once, one of them counts.
  if (choosing === 'item') expect([seed, item.stage]).toEqual([seed, chosen.item])
  // Also between two statuses of one stage.
  if (choosing === 'issue' && chosen.issue) {
    expect([seed, issue.status.id]).toEqual([seed, chosen.issue.id])
  }
  const notes = item.notes.map(({ text }) => `${text};`)
  const comments = issue.comments.map(({ text }) => `${text.split('\n')[0]};`)
  for (const text of [...written.notes, ...written.comments]) {
    expect([seed, text, count(notes, `${text};`), count(comments, `${text};`)]).toEqual([seed, text, 1, 1])
  }
  const state = JSON.stringify([item, issue])
  await world.sync()
  expect([seed, JSON.stringify([item, issue])]).toEqual([seed, state])
}

describe('an item and its issue', () => {
  it('become alike after any course of events: nothing lost, nothing doubled, nothing sent back and forth', async () => {
    for (let seed = 1; seed <= 1_000; seed += 1) await play(seed)
  })

  it('leaves the item in a stage that the tracker has no status of', async () => {
    const waiting = { id: 'todo', name: 'To do', stage: 'todo' } as const
    const issue = { key: '1', label: '#1', title: 'It jumps', url: 'https://tracker.example/1', status: waiting }
    const memory = { agreed: 'todo' as Stage, agreedItem: 'todo' as Stage | null, intended: null as Stage | null }
    const followed: Stage[] = []
    for (let run = 0; run < 3; run += 1) {
      await syncIssue({
        stages: createStageMap({}, ['todo', 'started', 'done']),
        toNoteId: (id) => id,
        item: { read: async () => ({ stage: 'started', version: 1, notes: [] }), addNote: async () => {} },
        issue: {
          read: async () => issue,
          listStatuses: async () => [waiting],
          setStage: async () => waiting,
          listComments: async () => [],
          addCopy: async () => '',
        },
        memory: {
          ...memory,
          listPairs: async () => [],
          addPair: async () => {},
          intend: async (intended, agreed) => void Object.assign(memory, { agreed, agreedItem: null, intended }),
          store: async ({ status }, agreedItem) =>
            void Object.assign(memory, { agreed: status.stage, agreedItem, intended: null }),
          follow: async ({ status }) => followed.push(status.stage) > 0,
        },
      })
    }
    expect(followed).toEqual([])
  })
})
