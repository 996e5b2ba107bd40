import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { line, Timestamp } from './text.ts'

const shownMode = {
  /** Words of the superadmin; null: none. */
  message: nullable(Type.String()),
  /** When it is expected to end; null: not known. It does not end by itself. */
  endsAt: nullable(Timestamp),
  since: Timestamp,
}

/** Read-only mode, as everyone may know it. */
export const ReadOnlyNotice = Type.Object(shownMode)
export type ReadOnlyNotice = Static<typeof ReadOnlyNotice>

export const getReadOnlyNotice = route({
  operationId: 'getReadOnlyNotice',
  method: 'GET',
  path: '/api/v1/maintenance',
  summary: 'Whether the instance is read-only for maintenance',
  tag: 'config',
  replies: { 200: Type.Object({ readOnly: nullable(ReadOnlyNotice) }) },
  errors: [],
  access: { kind: 'public' },
  rate: 'none',
})

const MaintenanceState = Type.Object({
  /** Null: the instance takes writes. */
  readOnly: nullable(Type.Object({ ...shownMode, turnedOnBy: Type.String() })),
  /** Jobs that still run and change data; they began before. */
  runningJobs: Type.Integer(),
  /** Jobs that are due and not started. */
  waitingJobs: Type.Integer(),
})
export type MaintenanceState = Static<typeof MaintenanceState>

const path = '/api/v1/superadmin/maintenance'
const ofSuperadmins = { tag: 'superadmin', access: { kind: 'superadmin' } } as const

export const maxMessageLength = 300

export const getMaintenance = route({
  ...ofSuperadmins,
  operationId: 'getMaintenance',
  method: 'GET',
  path,
  summary: 'Whether the instance is read-only, and which jobs run and wait',
  replies: { 200: MaintenanceState },
  errors: [],
  rate: 'read',
})

export const NewReadOnlyMode = Type.Object(
  {
    /** What people read in the banner and in refusals; null: the default words. */
    message: nullable(line({ minLength: 1, maxLength: maxMessageLength })),
    /** When it is expected to end. */
    endsAt: nullable(Timestamp),
  },
  { additionalProperties: false },
)
export type NewReadOnlyMode = Static<typeof NewReadOnlyMode>

export const turnOnReadOnly = route({
  ...ofSuperadmins,
  operationId: 'turnOnReadOnly',
  method: 'PUT',
  path,
  summary: 'Make the instance read-only, or change the message and the expected end while it is',
  body: NewReadOnlyMode,
  replies: { 200: MaintenanceState },
  errors: [],
  rate: 'write',
})

export const turnOffReadOnly = route({
  ...ofSuperadmins,
  operationId: 'turnOffReadOnly',
  method: 'DELETE',
  path,
  summary: 'End read-only mode',
  replies: { 200: MaintenanceState },
  errors: [],
  rate: 'write',
})
