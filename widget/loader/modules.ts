import type { AttachmentKind, PictureGap } from '#contract/files.ts'
import type { OwnItem, Submission } from '#contract/widget.ts'
import type { Strings } from '../locales/en.ts'
import type { Stage } from './stage.ts'

/*
 * Exports of the stages that the panel loads. Each is a module of its own, loaded on demand; none imports another.
 */

/** A picture of the page, in device pixels. */
export interface Screenshot {
  readonly canvas: HTMLCanvasElement
  /** Kinds of content that could not be drawn; shown to the visitor. */
  readonly missing: readonly PictureGap[]
}

/** The captured area: the visible area, the whole page, or one element. */
export type Area = 'viewport' | 'page' | Element

/** How a picture of the page is taken, as its text is named: `pixels` asks the browser for the pixels of the visible area. */
export type Way = 'viewport' | 'page' | 'element' | 'pixels'

export interface CaptureModule {
  /** Draws the page without asking. Rejects only when no engine could draw it. */
  capture(stage: Stage, area: Area, mask: readonly string[]): Promise<Screenshot>
  /** The browser's own pixels, after it has asked the visitor. Rejects with its NotAllowedError when they decline. */
  captureRealPixels(stage: Stage, area: Area, mask: readonly string[]): Promise<Screenshot>
  /** Lets the visitor point at an element, by mouse, touch or keyboard; undefined when they gave up (Escape). */
  pickElement(stage: Stage, hint: string): Promise<Element | undefined>
}

export interface AnnotateModule {
  /**
   * Opens the editor over everything. Resolves to a new canvas with the marks burnt in; undefined: cancelled.
   * @param ways how the picture was taken, and the other ways that the visitor may ask for instead: then it resolves to
   * that way
   */
  annotate(
    stage: Stage,
    picture: HTMLCanvasElement,
    strings: Strings,
    ways?: readonly Way[],
  ): Promise<HTMLCanvasElement | Way | undefined>
}

export interface RecordingOptions {
  /** With `screen`: also the microphone. */
  readonly microphone: boolean
  readonly limitSeconds: number
  /** With `screen`: selectors of elements blackened meanwhile, beside passwords and payment fields. */
  readonly cover: readonly string[]
  /** Every piece as it is recorded, in order, about every 2 s. */
  onChunk(chunk: Blob): void
  /** Four times a second: seconds recorded so far, loudness from 0 to 1. */
  onTick(seconds: number, level: number): void
  /** Ended: by `stop`, by the limit, or because the browser took the source away. */
  onEnd(recording: Recorded): void
}

export interface Recorded {
  /** Empty when the source ended at once. The file's own duration may be `Infinity`. */
  readonly blob: Blob
  readonly mime: string
  readonly durationMs: number
}

/** A running recording. */
export interface Recording {
  readonly mime: string
  /** Whether the microphone is recorded. It may have been refused while the screen was granted. */
  readonly microphone: boolean
  pause(): void
  resume(): void
  stop(): void
  /** Stops and gives nothing back. */
  discard(): void
  /** Moves the limit; in seconds from the start. */
  extend(limitSeconds: number): void
}

export interface MediaModule {
  /** Asks for the source and starts. Rejects with the browser's own error (NotAllowedError, NotFoundError …). */
  record(kind: 'voice' | 'screen', options: RecordingOptions): Promise<Recording>
  /** Whether this browser can record it here at all; false under a permissions policy or without the API. */
  canRecord(kind: 'voice' | 'screen'): boolean
}

export interface ReplayModule {
  /** Starts to record the last minute, in idle time. Ends on pages that are too large. */
  start(stage: Stage): void
  /** The recording, as compressed JSON ready to upload; undefined: nothing. */
  take(): Promise<Blob | undefined>
  /** Ends recording for the life of the page, and deletes the recording. */
  stop(): void
  /** Shows it to the visitor inside the element. Rejects when the file cannot be shown. */
  preview(
    container: HTMLElement,
    events: Blob,
    labels: { readonly play: string; readonly pause: string; readonly position: string },
  ): Promise<void>
}

/** A file on its way. Its bytes are kept in this browser until the server has them. */
export interface Upload {
  readonly id: string
  readonly kind: AttachmentKind
  /** Adds bytes to a recording that is still running. */
  append(chunk: Blob): void
  /** Marks the upload as complete. */
  finish(): void
  /** Deletes it, here and on the server. */
  discard(): void
}

/** The outcome of a submission so far. */
export type Outcome =
  | { kind: 'sent'; number: number }
  /** Not sent yet, but it will be tried again. `durable`: also after this page is gone. */
  | { kind: 'waiting'; why: 'offline' | 'network' | 'server' | 'busy'; durable: boolean; retryInMs: number }
  /** Not sent, and asking again will not help. The reason is the server's, for people. */
  | { kind: 'refused'; reason: string }

/** Progress of the files of a submission: bytes that the server has, of bytes there are. */
export interface Progress {
  readonly sentBytes: number
  readonly totalBytes: number
  /** Why a file will never arrive; the text is not affected. */
  readonly refused?: string
}

export interface TransportModule {
  /** Starts an upload; with `whole` it is all there is, else chunks follow. */
  upload(stage: Stage, kind: AttachmentKind, mime: string, name?: string, whole?: Blob): Upload
  /** Keeps a submission before anything else happens to it. Resolves to whether it survives this page. */
  keep(stage: Stage, submission: Submission): Promise<boolean>
  /**
   * Sends what {@link keep} has taken, text first, then its files in the background. Answers within a few seconds;
   * when that is `waiting`, attempts go on. With the same id again: tries at once.
   */
  deliver(stage: Stage, id: string): Promise<Outcome>
  /**
   * Follows outcomes after `waiting` and uploads: by the submission's id, or by the upload's id before its submission is
   * sent. Returns a function that unsubscribes.
   */
  subscribe(listener: (id: string, news: Outcome | Progress) => void): () => void
  /** Deletes a submission that the visitor edits again; it then gets a new id. Its uploads stay. */
  withdraw(id: string): Promise<void>
  /** Sends submissions and uploads of earlier visits. */
  resume(stage: Stage, online: boolean): Promise<void>
  countWaiting(): Promise<number>
  /** Returns, once, a submission that was refused in the background. */
  takeRefused(): Promise<{ submission: Submission; reason: string } | undefined>
  /** The visitor's own items, from the server. */
  listOwnItems(stage: Stage): Promise<readonly OwnItem[]>
  /** Unfinished recordings of closed tabs, to be offered again. */
  takeInterrupted(): Promise<{ upload: Upload; blob: Blob; durationMs: number }[]>
  /** The state of page and browser, for a submission's `context`. */
  readContext(stage: Stage): Promise<Record<string, unknown>>
}

/** Loaded only when the server asks for work before it takes a submission. */
export interface ProofModule {
  /** The header's value for a challenge; takes 2^difficulty hashes on average, without holding up the page. */
  solve(challenge: string, difficulty: number): Promise<string>
}
