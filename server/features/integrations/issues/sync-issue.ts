import type { StageMap } from '#contract/stage-map.ts'
import { readCopied } from './markers.ts'
import { mergeStages, type Stage } from './merge-stages.ts'
import type { Issue, IssueComment, IssueStatus } from './tracker.ts'

/** A note of an item. */
export interface ItemNote {
  readonly id: string
  readonly author: string
  readonly text: string
}

/** The item's side of a link. */
export interface ItemSide {
  read(): Promise<{ stage: Stage; version: number; notes: readonly ItemNote[] }>
  /** Adds a note with an id of the caller's; adding it again changes nothing. */
  addNote(note: ItemNote): Promise<void>
}

/** The issue's side of a link. */
export interface IssueSide {
  /** As the tracker classifies its status. Undefined: the issue is gone. */
  read(): Promise<Issue | undefined>
  /** All that an issue can have. */
  listStatuses(): Promise<readonly IssueStatus[]>
  /** @returns the status that it was given. */
  setStage(stage: Stage, statusId?: string): Promise<IssueStatus>
  listComments(): Promise<readonly IssueComment[]>
  /** Adds a copy of a note. @returns the comment's id. */
  addCopy(note: ItemNote): Promise<string>
}

/** Which note is which comment. */
export interface CommentPair {
  readonly noteId: string
  readonly commentId: string
  readonly origin: 'item' | 'issue'
}

/** The memory of a link between two runs. */
export interface LinkMemory {
  /** Stages in which both sides were last alike; null as in {@link mergeStages}. */
  readonly agreed: Stage | null
  readonly agreedItem: Stage | null
  /** What the issue was to become, by a run that may have broken off. */
  readonly intended: Stage | null
  listPairs(): Promise<readonly CommentPair[]>
  addPair(pair: CommentPair): Promise<void>
  /**
   * Notes what the issue is about to become, and that until now it is as agreed: an earlier intention may have come true.
   * Then the item is in no agreed stage any more.
   */
  intend(stage: Stage, agreed: Stage): Promise<void>
  /** Notes the issue as it is, and that it is alike with an item of that stage, so that nothing is intended any more. */
  store(issue: Issue, item: Stage): Promise<void>
  /**
   * Gives the item the issue's stage and does what `store` does, both or neither.
   *
   * @returns false when the item has changed since it was read: nothing was written.
   */
  follow(issue: Issue, version: number): Promise<boolean>
}

export interface SyncParts {
  readonly item: ItemSide
  readonly issue: IssueSide
  readonly memory: LinkMemory
  readonly stages: StageMap
  /** The id of the note that stands for a comment: always the same. */
  readonly toNoteId: (commentId: string) => string
}

/**
 * Makes an item and its issue alike, from how both are now. It may run at any time, any number of times, and break off
 * anywhere: the next run continues where this one ended. Each side's changes reach the other, and are not sent back from there.
 *
 * @returns `again`: the item changed meanwhile. `gone`: the issue no longer exists.
 */
export async function syncIssue(parts: SyncParts): Promise<'done' | 'again' | 'gone'> {
  const { item, issue, memory, stages } = parts
  const read = await issue.read()
  if (!read) return 'gone'
  const found = { ...read, status: { ...read.status, stage: stages.count(read.status) } }
  const own = await item.read()
  const { agreed, agreedItem, intended } = memory
  const { stands } = stages
  const merged = mergeStages({ agreed, agreedItem, intended, item: own.stage, issue: found.status.stage, stands })
  if (merged === 'none') await memory.store(found, own.stage)
  else if (merged === 'change_issue') await changeIssue(parts, found, own.stage)
  else if (!(await memory.follow(found, own.version))) return 'again'
  await copyComments(parts, own.notes)
  return 'done'
}

async function changeIssue({ issue, memory, stages }: SyncParts, found: Issue, item: Stage): Promise<void> {
  const aim = stages.aim(item, stages.needsStatuses ? await issue.listStatuses() : [])
  if (aim.isReached(found.status)) return memory.store(found, item)
  await memory.intend(aim.becomes, found.status.stage)
  const status = await issue.setStage(aim.stage, aim.statusId)
  // Of another stage where the tracker has no status of this one: the issue is not taken for changed by someone else then.
  await memory.store({ ...found, status: { ...status, stage: stages.count(status) } }, item)
}

async function copyComments({ item, issue, memory, toNoteId }: SyncParts, notes: readonly ItemNote[]): Promise<void> {
  const comments = await issue.listComments()
  const pairs = await memory.listPairs()
  const knownNotes = new Set(pairs.map(({ noteId }) => noteId))
  const knownComments = new Set(pairs.map(({ commentId }) => commentId))
  for (const { id, author, text } of comments) {
    if (knownComments.has(id)) continue
    const copied = readCopied(text)
    // A copy whose pair was not noted, because the run that made it broke off. Of a second copy, the first counts.
    if (copied !== undefined) {
      if (!knownNotes.has(copied)) await memory.addPair({ noteId: copied, commentId: id, origin: 'item' })
      knownNotes.add(copied)
      continue
    }
    const noteId = toNoteId(id)
    await item.addNote({ id: noteId, author, text })
    await memory.addPair({ noteId, commentId: id, origin: 'issue' })
    knownNotes.add(noteId)
  }
  for (const note of notes) {
    if (knownNotes.has(note.id)) continue
    const commentId = await issue.addCopy(note)
    await memory.addPair({ noteId: note.id, commentId, origin: 'item' })
  }
}
