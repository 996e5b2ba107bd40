import type { Stage } from './merge-stages.ts'
import type { IssueStatus } from './tracker.ts'

const word = (words: string) => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu')
const todo = word(
  'to[ -]?do|backlog|inbox|icebox|ideas?|new|next|open|planned|triage|offen|neu|à faire|por hacer|da fare',
)
const done = word(
  'done|completed?|closed|resolved|fixed|finished|released|shipped|deployed|live|cancell?ed|declined|rejected|duplicates?|' +
    "won[’']?t (?:do|fix)|erledigt|fertig|abgeschlossen|terminée?s?|fait|hecho|terminado|fatto|completato|feito|concluído|klaar",
)

/**
 * The stage that a column of a board stands for, by its name: a board knows no more about it. The first column is where
 * work arrives.
 */
export function readStage(name: string, isFirst: boolean): Stage {
  if (isFirst || todo.test(name)) return 'todo'
  return done.test(name) ? 'done' : 'started'
}

/** The status with an id, else the first of the stage. A tracker without one of the stage keeps issues in its first. */
export function pickStatus(statuses: readonly IssueStatus[], stage: Stage, statusId?: string): IssueStatus | undefined {
  const ofStage = statuses.find((status) => status.stage === stage)
  return statuses.find(({ id }) => id === statusId) ?? ofStage ?? statuses[0]
}
