import type { ThresholdChange } from '#contract/superadmin-monitoring.ts'

/** A figure beyond its threshold, or an alert that has not recovered yet. */
export interface OpenAlert {
  readonly crossedAt: Date
  /** Null: not beyond the threshold for long enough. */
  readonly alertedAt: Date | null
  /** Since when an alert's figure is within the threshold again. */
  readonly recoveringSince: Date | null
  readonly worstValue: number
}

export interface FigureReading {
  readonly value: number
  readonly alertsWhen: 'above' | 'below'
  readonly threshold: ThresholdChange
  /** The minute of the reading. */
  readonly minute: Date
}

/** What a reading means. `email`: superadmins hear of it now; null: they heard before, or it is too soon. */
export type Judgement =
  | { readonly outcome: 'fine' }
  | { readonly outcome: 'forgotten' }
  | { readonly outcome: 'open'; readonly alert: OpenAlert; readonly email: 'crossed' | null }
  | { readonly outcome: 'ended'; readonly email: 'recovered' | null }

export function isBeyond(value: number, alertsWhen: 'above' | 'below', limit: number): boolean {
  return alertsWhen === 'above' ? value > limit : value < limit
}

/**
 * Judges a minute's reading of a figure. An alert begins and ends after as many minutes in a row: a figure that swings
 * around its threshold sends nothing.
 */
export function judgeFigure(open: OpenAlert | undefined, reading: FigureReading): Judgement {
  const { value, alertsWhen, threshold, minute } = reading
  if (!threshold.isEnabled) return giveUp(open)
  const lasted = (since: Date) => minute.getTime() - since.getTime() >= (threshold.minutes - 1) * 60_000
  if (isBeyond(value, alertsWhen, threshold.limit)) {
    const crossedAt = open?.crossedAt ?? minute
    const worse = alertsWhen === 'above' ? Math.max : Math.min
    const isNew = !open?.alertedAt && lasted(crossedAt)
    return {
      outcome: 'open',
      alert: {
        crossedAt,
        alertedAt: open?.alertedAt ?? (isNew ? minute : null),
        recoveringSince: null,
        worstValue: worse(value, open?.worstValue ?? value),
      },
      email: isNew ? 'crossed' : null,
    }
  }
  if (!open) return { outcome: 'fine' }
  if (!open.alertedAt) return { outcome: 'forgotten' }
  const recoveringSince = open.recoveringSince ?? minute
  if (lasted(recoveringSince)) return { outcome: 'ended', email: 'recovered' }
  return { outcome: 'open', alert: { ...open, recoveringSince }, email: null }
}

/** A threshold that was disabled ends its alert silently. */
function giveUp(open: OpenAlert | undefined): Judgement {
  if (!open) return { outcome: 'fine' }
  return open.alertedAt ? { outcome: 'ended', email: null } : { outcome: 'forgotten' }
}
