import type { FeedbackPriority } from '#contract/feedback.ts'
import type { IssueField } from '#contract/issue-mapping.ts'
import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts'
import type { ServiceRequest } from '../service-request.ts'
import type { MarkerKind } from './markers.ts'
import type { Stage } from './merge-stages.ts'

/** A status that issues can have, in the tracker's words. */
export interface IssueStatus {
  /** Stays when the status is renamed. */
  readonly id: string
  readonly name: string
  readonly stage: Stage
}

/** An issue as its tracker has it now. */
export interface Issue {
  /** Finds it again, also after it was renamed or moved. */
  readonly key: string
  /** Its short name, such as `acme/web#12`. */
  readonly label: string
  readonly title: string
  readonly url: string
  readonly status: IssueStatus
}

export type { IssueField } from '#contract/issue-mapping.ts'

/** An issue to be created. */
export interface IssueDraft {
  readonly title: string
  /** Markdown. */
  readonly body: string
  /** Stands in the body: by it, an issue is found whose creation was not noted. */
  readonly marker: string
  /** Beside those that the settings name. */
  readonly labels: readonly string[]
  /** Null: the tracker's default. */
  readonly priority: FeedbackPriority | null
  /** Whom the tracker knows by this address gets the issue; null: no one. */
  readonly assigneeEmail: string | null
}

export interface IssueComment {
  readonly id: string
  readonly author: string
  readonly text: string
}

/** A call of a tracker that was checked. */
export interface TrackerHook {
  /** The same when it is repeated. */
  readonly id: string
  /** Keys of the issues that may have changed. */
  readonly issueKeys: readonly string[]
}

/** A tracker's API, with which a type speaks to its service. */
export interface TrackerApi<Settings> {
  readonly settings: Settings
  /** @throws DeliveryFailure for every answer that is no 2xx. Its `status` tells which. */
  send(url: string, request?: ServiceRequest): Promise<OutboundAnswer>
}

/** How a tracker is told to call Earshot. */
export interface TrackerHooks<Settings> {
  /**
   * Lets the tracker call an address, signed by a secret. May be repeated: a former registration of the same address is
   * replaced.
   *
   * @returns its id, and when it ends unless it is registered again.
   * @throws DeliveryFailure when the token may not do that.
   */
  register(
    api: TrackerApi<Settings>,
    hook: { url: string; secret: string },
  ): Promise<{ id: string; endsAt: Date | null }>
  /** Also one that no longer exists. */
  remove(api: TrackerApi<Settings>, id: string): Promise<void>
}

/** What a type of integration does with issues. Every call may be repeated. */
export interface Tracker<Settings> {
  /** How Earshot's own issues and comments are recognised. */
  readonly markers: MarkerKind
  /** What of a draft the tracker takes, beside title and body. */
  readonly takes: readonly IssueField[]
  /** Stages that the tracker tells apart; of an item's others, `dropped` counts as `done`, `started` as `todo`. */
  readonly stages: readonly Stage[]
  create(api: TrackerApi<Settings>, draft: IssueDraft): Promise<Issue>
  /** An issue whose body holds the marker, among those created lately. */
  findByMarker(api: TrackerApi<Settings>, marker: string): Promise<Issue | undefined>
  /** Undefined: it was deleted, or can't be reached. */
  read(api: TrackerApi<Settings>, key: string): Promise<Issue | undefined>
  /** Statuses that an issue can have, in the tracker's order. */
  listStatuses(api: TrackerApi<Settings>): Promise<readonly IssueStatus[]>
  /**
   * Moves an issue to a status of a stage.
   *
   * @param statusId which one; undefined, or one that no longer exists: the tracker's first of the stage.
   * @returns the status that it was given, of another stage where the tracker has none of this one. Never one that someone
   *   else gave it meanwhile: that shows when it is read.
   */
  setStage(api: TrackerApi<Settings>, key: string, stage: Stage, statusId?: string): Promise<IssueStatus>
  /** Oldest first. */
  listComments(api: TrackerApi<Settings>, key: string): Promise<IssueComment[]>
  /** @returns its id. */
  addComment(api: TrackerApi<Settings>, key: string, text: string): Promise<string>
  /**
   * The key of an issue that a member names by its address or number. Undefined: that names none of what the owner has
   * connected, even where the token reaches further.
   */
  readReference(settings: Settings, text: string): string | undefined
  /**
   * Reads a call of the tracker.
   *
   * @returns undefined when the signature is wrong.
   */
  readHook(
    hook: { headers: Readonly<Record<string, string | undefined>>; body: Buffer },
    secret: string,
  ): TrackerHook | undefined
  /** Lets the tracker call an address when issues change. Undefined: owners set that up in the tracker. */
  readonly hooks?: TrackerHooks<Settings>
  /** Keys of issues that changed since a time. */
  listChanged(api: TrackerApi<Settings>, since: Date): Promise<string[]>
}
