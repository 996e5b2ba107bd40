import type { AnnouncedAttachment } from '#contract/files.ts'
import type { Chance } from './chance.ts'
import { type DemoFile, type DemoFileName, type DemoWindow, demoFiles } from './demo-files.ts'

/** A file of an item. */
export interface DemoAttachment {
  readonly id: string
  readonly file: DemoFile
  /** The start of the recorded moment. */
  readonly startedAt: Date
}

/** A recording's id is created when the recorder is ready; then it counts down. */
const countdownMs = 3_000
/** The visitor reviews it and sends. */
const hesitationMs = 9_000
/** Length of the replay among the files. */
const replayMs = 16_600

/** The files of one item, in order. */
export function attachFiles(chance: Chance, names: readonly DemoFileName[], sentAt: Date): DemoAttachment[] {
  return names.map((name) => {
    const file: DemoFile = demoFiles[name]
    const lengthMs = file.kind === 'screen' ? (file.facts.durationMs ?? 0) : file.kind === 'replay' ? replayMs : 30_000
    const startedAt = new Date(sentAt.getTime() - hesitationMs - lengthMs)
    const madeAt = file.kind === 'screen' ? new Date(startedAt.getTime() - countdownMs) : sentAt
    return { id: chance.uuid(madeAt), file, startedAt }
  })
}

/** As the widget announces them. */
export function announceFiles(attachments: readonly DemoAttachment[]): { attachments?: AnnouncedAttachment[] } {
  if (attachments.length === 0) return {}
  return {
    attachments: attachments.map(({ id, file }) => ({
      id,
      kind: file.kind,
      name: toSentName(file),
      ...(file.facts.durationMs !== undefined && { durationMs: file.facts.durationMs }),
    })),
  }
}

/** The window size that they were made in; undefined: any. */
export function findWindow(attachments: readonly DemoAttachment[]): DemoWindow | undefined {
  return attachments.find(({ file }) => file.window !== undefined)?.file.window
}

/** Only a selected file keeps its name; the widget names its own. */
export function toSentName({ file, kind }: DemoFile): string {
  return kind === 'file' ? file : `${kind}${file.slice(file.indexOf('.'))}`
}

/** The page activity that the widget recorded: console, requests and pages, with the times of this item. */
export function tellStory(attachments: readonly DemoAttachment[]): Record<string, unknown> {
  const stories = attachments.flatMap(({ file, startedAt }) => (file.story ? [{ ...file.story, startedAt }] : []))
  const names = ['console', 'network', 'routes'] as const
  return Object.fromEntries(
    names
      .map((name) => {
        const entries = stories.flatMap((story) =>
          (story[name] ?? []).map(([atMs, ...rest]) => [story.startedAt.getTime() + atMs, ...rest]),
        )
        return [name, entries] as const
      })
      .filter(([, entries]) => entries.length > 0),
  )
}
