import type { JSX } from 'preact'
import type { AttachmentKind, PictureGap } from '#contract/files.ts'
import type { OwnItem, Submission } from '#contract/widget.ts'
import type { PanelSettings } from '#contract/widget-settings.ts'
import type { Recording, TransportModule, Upload, Way } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import type { Strings } from '../locales/en.ts'

export type IconName = AttachmentKind | 'close' | 'back' | 'check' | 'offline' | 'alert' | 'star'

/** The visitor's answers by field name. Ratings are numbers as text; '' is no rating. */
export type Values = Record<string, string | boolean>

/** A question of the form. */
export interface Field {
  /** Names its value, its element and its error. The project's own have an underscore before their id. */
  readonly name: string
  readonly kind: 'type' | 'message' | 'faces' | 'stars' | 'nps' | 'text' | 'email' | 'name' | 'select' | 'checkbox'
  readonly label: string
  readonly required?: boolean
  readonly options?: readonly string[]
}

/** An attached file. */
export interface Attached {
  readonly upload: Upload
  readonly blob: Blob
  /** Object URL of the blob. */
  readonly url: string
  readonly name: string
  readonly durationMs?: number
  /** What could not be drawn. */
  readonly missing?: readonly PictureGap[]
  /** When it was attached, in milliseconds since 1970. */
  readonly attachedAt: number
}

/** A recording that runs, or is about to. */
export interface Running {
  readonly kind: 'voice' | 'screen'
  /** Undefined until the browser has granted access. */
  recording?: Recording
  /** Seconds until it starts; 0: it has. */
  count: number
  seconds: number
  limit: number
  /** The latest loudnesses, from 0 to 1. */
  levels: readonly number[]
  paused: boolean
  /** Resolves when the recording has been attached. */
  readonly ended: Promise<void>
}

export type Phase =
  | { kind: 'editing' }
  | { kind: 'sending' }
  | { kind: 'sent'; number: number }
  | { kind: 'offline'; durable: boolean }
  | { kind: 'failed'; title: string; reason: string }

/** Everything that the views depend on. */
export interface State {
  phase: Phase
  values: Values
  /** Errors by field name. */
  errors: Record<string, string>
  files: readonly Attached[]
  /** The file removed last, which undo restores. */
  removed: Attached | undefined
  /** A message about attachments. */
  note: string
  /** The tool whose options are unfolded: of a screenshot, only after one has failed. */
  unfolded: 'screenshot' | 'screen' | ''
  microphone: boolean
  running: Running | undefined
  /** The screen is being recorded: only its controls are shown. */
  small: boolean
  /** Hidden while an element is picked, an exact capture taken or a picture annotated. */
  away: boolean
  capturing: boolean
  dragging: boolean
  copied: boolean
  /** Earlier submissions that wait to be sent. */
  waiting: number
  /** The box of the last minute, until the tools have followed it. */
  ticked: boolean | undefined
  /** Bytes that the server has, by the id of an upload. */
  progress: Record<string, number>
  /** Progress of the sent files in percent, or why one was refused. */
  delivered: number | string
  /** The list of the visitor's own items. */
  items: 'hidden' | 'loading' | 'failed' | readonly OwnItem[]
  /** The item just sent. */
  own: OwnItem | undefined
}

type More = Record<string, unknown>

/** Controls and icons. */
export interface Parts {
  /** Its look is a class: `main`, `plain`, or `quiet`. */
  button(look: string, label: string, onClick: () => void, more?: More): JSX.Element
  /** Shows an icon only. */
  iconButton(name: IconName, label: string, onClick: () => void): JSX.Element
  checkbox(
    name: string,
    label: unknown,
    checked: boolean,
    onChange: (checked: boolean) => void,
    more?: More,
  ): JSX.Element
  icon(name: IconName, size?: number): JSX.Element
}

/**
 * The visitor's actions in the form, their results, and what keeps and sends: all that a text needs. Loaded right after the
 * panel, so that the form appears sooner. The panel draws its views.
 */
export interface ActionsModule extends TransportModule {
  /** Its style sheet, which the panel adds. */
  readonly css: string
  /** Finds submissions of earlier visits, and follows sending. Returns a function that stops. */
  start(p: Panel): () => void
  /** Checks and sends the form. */
  submit(p: Panel): Promise<void>
  /** Withdraws the last attempt: the visitor is editing, so the next attempt is a new submission. */
  markEdited(p: Panel): void
  /** Opens the list of the visitor's own items, and requests it from the server. */
  openItems(p: Panel): Promise<void>
  closeItems(p: Panel): void
  viewItems(p: Panel): unknown
  viewResult(p: Panel): unknown
}

/** What a visitor needs only for attachments. Loaded when the pointer reaches a tool, after the actions. */
export interface ToolsModule {
  /** Its style sheet, which follows that of the actions. */
  readonly css: string
  /** Adds selected, pasted or dropped files, if the project accepts files. */
  addFiles(p: Panel, files: Iterable<File>): Promise<void>
  /** Takes a screenshot of the page, without the panel, and opens it in the editor. */
  takePicture(p: Panel, way: Way): Promise<void>
  /** Records, and attaches the recording however it ends. */
  record(p: Panel, kind: 'voice' | 'screen'): Promise<void>
  /** Attaches the replay of the last minute, or removes it. */
  toggleReplay(p: Panel): Promise<void>
  /** Attaches recordings that a closed tab left unfinished. */
  restore(p: Panel, found: Awaited<ReturnType<TransportModule['takeInterrupted']>>): void
  /** Under the tools: options, a running recording, and the files. */
  viewAttached(p: Panel): unknown
  /** The status of a recording for screen readers. */
  announce(p: Panel): string
}

/** The open panel: its state and surroundings. */
export interface Panel extends State {
  readonly stage: Stage
  readonly settings: PanelSettings
  readonly t: Strings
  readonly isInline: boolean
  /** Controls for all views, those of later stages too. */
  readonly parts: Parts
  /** The actions stage, once loaded. */
  actions: ActionsModule | undefined
  /** The tools stage, once loaded. */
  tools: ToolsModule | undefined
  /** Resolves once all selected files are attached. */
  adding?: Promise<unknown> | undefined
  /** The questions as last shown. */
  asked: readonly Field[]
  box: HTMLElement
  /** When the visitor was first shown the form, in milliseconds since 1970. */
  started: number
  /** The last attempt. It keeps its id until the visitor edits the form, so that a retry makes no second item. */
  tried: Submission | undefined
  /** Changes the state and shows it. */
  set(part: Partial<State>): void
  /** Keeps values over a reload; without values, deletes the draft. */
  saveDraft(values?: Values): void
  /** Starts a new form; name and email stay. */
  startOver(): void
  close(): void
}

export const freshState = (): State => ({
  phase: { kind: 'editing' },
  values: {},
  errors: {},
  files: [],
  removed: undefined,
  note: '',
  unfolded: '',
  microphone: true,
  running: undefined,
  small: false,
  away: false,
  capturing: false,
  dragging: false,
  copied: false,
  waiting: 0,
  progress: {},
  ticked: undefined,
  delivered: 100,
  items: 'hidden',
  own: undefined,
})

/** Whether the form is finished: sent, or saved for later. */
export const isOver = ({ phase }: State) => phase.kind === 'sent' || phase.kind === 'offline'

/** Replaces placeholders such as `{n}`. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/{(\w+)}/g, (_match, name: string) => `${values[name]}`)
}

/** Focuses the first matching element of the panel. */
export function focus({ box }: Panel, selector: string): void {
  box.querySelector<HTMLElement>(selector)?.focus()
}
