import type { TrialReport } from '#contract/trial-page.ts'

type Reported<Kind extends TrialReport['kind']> = Extract<TrialReport, { kind: Kind }>

/** What the page with the widget has reported. */
export interface TrialLog {
  readonly state: 'loading' | 'shown' | 'failed'
  /** Until the button was there, since the page began. */
  readonly shownAtMs: number | undefined
  readonly files: readonly Reported<'file'>[]
  readonly calls: readonly Reported<'call'>[]
  readonly events: readonly Reported<'event'>[]
}

export const emptyLog: TrialLog = { state: 'loading', shownAtMs: undefined, files: [], calls: [], events: [] }

/** More is of no use on a screen. */
const longest = 200

export function addReport(log: TrialLog, report: TrialReport): TrialLog {
  switch (report.kind) {
    case 'ready':
      return emptyLog
    case 'shown':
      return { ...log, state: 'shown', shownAtMs: report.atMs }
    case 'failed':
      return { ...log, state: 'failed' }
    case 'file':
      return { ...log, files: [...log.files, report].slice(-longest) }
    case 'call':
      return { ...log, calls: [...log.calls, report].slice(-longest) }
    case 'event':
      return { ...log, events: [...log.events, report].slice(-longest) }
  }
}

/** Bytes of all files, as they were sent. */
export function sumBytes({ files }: TrialLog): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}
