import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'

/** `creating`: the tracker has not answered yet. `failed`: it refused, and is asked again. `gone`: the issue was deleted. */
const linkStates = ['creating', 'linked', 'failed', 'gone'] as const

/** An issue in a tracker, as the row of its item shows it. */
export const IssueMark = Type.Object({
  state: Type.Enum([...linkStates]),
  /** The tracker's short name of the issue; null: it is being created. */
  label: nullable(Type.String()),
  /** The issue's status in the tracker's words. */
  status: nullable(Type.String()),
  isDone: Type.Boolean(),
})
export type IssueMark = Static<typeof IssueMark>
