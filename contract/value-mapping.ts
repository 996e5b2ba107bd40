import Type, { type Static } from 'typebox'
import { closedReasons, feedbackPriorities, feedbackStatuses, feedbackTypes } from './feedback.ts'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { line, Uuid } from './text.ts'

/** The order of day and month in dates of numbers: `31/01/2026` or `01/31/2026`. */
export const dateOrders = ['day_first', 'month_first'] as const
export const DateOrder = Type.Enum([...dateOrders])
export type DateOrder = (typeof dateOrders)[number]

/** Dates in numbers, by what they tell of the order of day and month. */
export const DateEvidence = Type.Object({
  dayFirst: Type.Integer(),
  monthFirst: Type.Integer(),
  ambiguous: Type.Integer(),
})
export type DateEvidence = Static<typeof DateEvidence>

/** The order that dates of a column tell; undefined: they tell none, or two. */
export function decideOrder({ dayFirst, monthFirst }: DateEvidence): DateOrder | undefined {
  if (dayFirst > 0 === monthFirst > 0) return undefined
  return dayFirst > 0 ? 'day_first' : 'month_first'
}

/** `stars`: 1 to 5, 5 is the best. `school_grade`: German marks from 1 (the best) to 6. */
export const ratingScales = ['stars', 'school_grade'] as const
export const RatingScale = Type.Enum([...ratingScales])
export type RatingScale = (typeof ratingScales)[number]

/** Most different values of a column that are listed and mapped one by one. */
export const maxListedValues = 100
/** Longer values are never listed. */
export const maxValueLength = 100

/** What a value of a column can become, by the field of the column. `closed:…` contains the reason of the closing. */
export const valueOptions = {
  type: feedbackTypes,
  status: [...feedbackStatuses, ...closedReasons.map((reason) => `closed:${reason}` as const)],
  closedReason: closedReasons,
  priority: feedbackPriorities,
  rating: ['1', '2', '3', '4', '5'],
} as const
export type ValueField = keyof typeof valueOptions

export function isValueField(field: string): field is ValueField {
  return Object.hasOwn(valueOptions, field)
}

/** Whether dates of this field are read. */
export function isDateField(field: string): boolean {
  return field === 'createdAt' || field === 'resolvedAt'
}

/** How the values of a mapped column are read. Values that are not listed are read by their words. */
export const columnReading = {
  /** What a value becomes, in any letter case; null: it is left out. */
  values: Type.Optional(
    Type.Array(
      Type.Object(
        {
          from: line({ minLength: 1, maxLength: maxValueLength }),
          to: nullable(line({ minLength: 1, maxLength: 40 })),
        },
        { additionalProperties: false },
      ),
      { maxItems: maxListedValues },
    ),
  ),
  /** Of dates in numbers. Without it, dates whose order the numbers do not tell are left out. */
  dateOrder: Type.Optional(DateOrder),
  /** Of ratings. Default: `stars`. */
  scale: Type.Optional(RatingScale),
}

const ImportColumnValues = Type.Object({
  column: Type.Integer(),
  /** Different values, the most frequent first; null: more than can be listed. */
  values: nullable(
    Type.Array(
      Type.Object({
        value: Type.String(),
        count: Type.Integer(),
        /** What the value is known to mean; null: unknown. */
        guess: nullable(Type.String()),
      }),
    ),
  ),
  dates: DateEvidence,
})

export const ImportValues = Type.Object({
  columns: Type.Array(ImportColumnValues),
  /** False: the file is long, and its first rows were read. */
  isWholeFile: Type.Boolean(),
})
export type ImportValues = Static<typeof ImportValues>

export const listImportValues = route({
  operationId: 'listImportValues',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/imports/{importId}/values',
  summary: 'List the different values of columns of an uploaded file, with what each would become; stores nothing',
  tag: 'imports',
  params: Type.Object({ organizationId: Uuid, importId: Uuid }),
  body: Type.Object(
    {
      columns: Type.Array(
        Type.Object(
          {
            column: Type.Integer({ minimum: 0, maximum: 199 }),
            field: Type.Enum(['type', 'status', 'closedReason', 'priority', 'rating', 'createdAt', 'resolvedAt']),
            scale: Type.Optional(RatingScale),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: 20 },
      ),
    },
    { additionalProperties: false },
  ),
  replies: { 200: ImportValues },
  errors: ['import_not_found', 'import_busy'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})
