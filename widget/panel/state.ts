import type { JSX } from 'preact'
import type { AttachmentKind } from '#contract/files.ts'
import type { OwnItem, Submission } from '#contract/widget.ts'
import type { PanelSettings } from '#contract/widget-settings.ts'
import type { ActionsModule, Missing, Recording, Upload } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import type { Strings } from '../locales/en.ts'
import type { Field } from './fields.ts'

export type IconName = AttachmentKind | 'close' | 'back' | 'check' | 'offline' | 'alert' | 'star'

/** What the visitor has filled in, by the name of the field. Ratings are numbers as text; none is ''. */
export type Values = Record<string, string | boolean>

/** A file of the visitor's. */
export interface Attached {
  readonly upload: Upload
  readonly blob: Blob
  /** Object URL of the blob. */
  readonly url: string
  readonly name: string
  readonly durationMs?: number
  /** What could not be drawn. */
  readonly missing?: readonly Missing[]
}

/** A recording that runs, or is about to. */
export interface Running {
  readonly kind: 'voice' | 'screen'
  /** Missing until the browser has granted it. */
  recording?: Recording
  /** Seconds until it starts; 0: it has. */
  count: number
  seconds: number
  limit: number
  /** The latest loudnesses, from 0 to 1. */
  levels: readonly number[]
  paused: boolean
  /** Resolves when what was recorded has been attached. */
  readonly ended: Promise<void>
}

export type Phase =
  | { kind: 'editing' }
  | { kind: 'sending' }
  | { kind: 'sent'; number: number }
  | { kind: 'offline'; durable: boolean }
  | { kind: 'failed'; title: string; reason: string }

/** Everything that what is shown depends on. */
export interface State {
  phase: Phase
  values: Values
  /** What is wrong, by the name of the field. */
  errors: Record<string, string>
  files: readonly Attached[]
  /** Taken out last; can be put back. */
  removed: Attached | undefined
  /** What there is to say about attaching. */
  note: string
  /** Which of the ways to attach has unfolded its choices. */
  unfolded: 'screenshot' | 'screen' | ''
  microphone: boolean
  running: Running | undefined
  /** The screen is being recorded: only its controls are shown. */
  small: boolean
  /** Hidden while something on the page is picked, photographed or drawn on. */
  away: boolean
  capturing: boolean
  dragging: boolean
  copied: boolean
  /** Earlier submissions that wait to be sent. */
  waiting: number
  /** Bytes that the server has, by the id of an upload. */
  progress: Record<string, number>
  /** About the files of what was sent: how far they are, in percent, or why one was refused. */
  delivered: number | string
  /** The list of own items: not asked for, on its way, there, or not to be had. */
  items: 'hidden' | 'loading' | 'failed' | readonly OwnItem[]
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

/** The open panel: its state, and what it was given. */
export interface Panel extends State {
  readonly stage: Stage
  readonly settings: PanelSettings
  readonly t: Strings
  readonly isInline: boolean
  /** What its views are made of, for those of the actions too. */
  readonly parts: Parts
  /** What the visitor does, once that is loaded. */
  actions: ActionsModule | undefined
  /** What this visitor is asked, as it was last shown. */
  asked: readonly Field[]
  box: HTMLElement
  /** When the visitor was first shown the form, in milliseconds since 1970. */
  started: number
  /** What was tried last. It keeps its id as long as the visitor changes nothing, so that a retry makes no second item. */
  tried: Submission | undefined
  /** Changes the state and shows it. */
  set(part: Partial<State>): void
  /** Keeps values over a reload; without any, there is nothing to keep any more. */
  saveDraft(values?: Values): void
  /** A new form, after what was sent or is safely kept. Who it is from stays. */
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
  delivered: 100,
  items: 'hidden',
})

/** Whether the visitor is done with it: sent, or safely kept. */
export const isOver = ({ phase }: State) => phase.kind === 'sent' || phase.kind === 'offline'

/** Puts values into the places of a text: `{n}` and the like. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/{(\w+)}/g, (_match, name: string) => `${values[name]}`)
}

/** Moves the focus to the first such element of the panel. */
export function focus({ box }: Panel, selector: string): void {
  box.querySelector<HTMLElement>(selector)?.focus()
}
