import type { Stage } from './stage.ts'

export interface FaultOptions {
  /** How long a frozen server stays frozen. */
  readonly freezeMs: number
  /** How long a full disk stays full, and connections stay taken. */
  readonly holdMs: number
}

/** Something that goes wrong with a running product. */
export interface Fault {
  /** As in the table. */
  readonly name: string
  /** Why it can't be tried on this machine; undefined: it can. */
  readonly obstacle?: (stage: Stage) => string | undefined
  /** Makes it happen, and resolves at the moment from which service may be expected again. */
  readonly happen: (stage: Stage, options: FaultOptions) => Promise<void>
  /** Resolves when what requests do not show has passed too. The next round begins after it. */
  readonly passed?: (stage: Stage) => Promise<void>
}
