import Type from 'typebox'
import { line } from './text.ts'

/** Of a list of the organisations that a figure of the instance is made of. */
export const figurePartFilters = {
  /** Part of a name or slug. */
  search: Type.Optional(line({ maxLength: 100 })),
  /** Default: the largest amount first. */
  sort: Type.Optional(Type.Enum(['amount', 'name'])),
}
