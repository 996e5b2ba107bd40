import Type, { type Static } from 'typebox'
import { line } from './text.ts'

/**
 * Steps of work that all trackers have. Of items, New and Open are `todo`, In progress is `started`, Resolved `done`, and
 * Closed `dropped`.
 */
export const issueStages = ['todo', 'started', 'done', 'dropped'] as const
export type IssueStage = (typeof issueStages)[number]

/** What an issue may carry beside its text. */
export const issueFields = ['labels', 'priority', 'assignee'] as const
export type IssueField = (typeof issueFields)[number]

/** A status of a tracker: its id stays when it is renamed. */
const StatusId = line({ minLength: 1, maxLength: 200 })
const Stage = Type.Enum([...issueStages])
const maxCountedStatuses = 100

/** How items become issues, and statuses of issues stages of items. An empty one leaves everything to the tracker. */
export const IssueMapping = Type.Object(
  {
    /** The status that an issue gets for a stage. Absent, or no longer there: the tracker's first of the stage. */
    statuses: Type.Optional(
      Type.Partial(Type.Object({ todo: StatusId, started: StatusId, done: StatusId, dropped: StatusId }), {
        additionalProperties: false,
      }),
    ),
    /** Statuses that count as another stage than the tracker says. */
    stages: Type.Optional(
      Type.Array(Type.Object({ statusId: StatusId, stage: Stage }, { additionalProperties: false }), {
        maxItems: maxCountedStatuses,
      }),
    ),
    /** What becomes a label of a new issue. Absent: nothing. */
    labels: Type.Optional(
      Type.Partial(
        Type.Object({ type: Type.Boolean(), priority: Type.Boolean(), tags: Type.Boolean(), project: Type.Boolean() }),
        { additionalProperties: false },
      ),
    ),
    /** Whether a new issue gets the item's priority. */
    priority: Type.Optional(Type.Boolean()),
    /** Whether a new issue is assigned to whom the tracker knows by the email address of the item's assignee. */
    assignee: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type IssueMapping = Static<typeof IssueMapping>
