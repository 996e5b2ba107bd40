import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { route } from './route.ts'

/** Where the value of a setting comes from. `generated`: Earshot made it at a start and keeps it in the data folder. */
const settingSources = ['environment', 'file', 'default', 'generated'] as const

/** A setting of the instance, as its process read it at start. */
export const ShownSetting = Type.Object({
  /** The environment variable. */
  name: Type.String(),
  sentence: Type.String(),
  /** Null: it has no value, or the value is a secret. URLs come without credentials and parameters. */
  value: nullable(Type.String()),
  isSecret: Type.Boolean(),
  /** Whether it has a value. */
  isSet: Type.Boolean(),
  source: Type.Enum([...settingSources]),
})
export type ShownSetting = Static<typeof ShownSetting>

export const listSettings = route({
  operationId: 'listSettings',
  method: 'GET',
  path: '/api/v1/superadmin/settings',
  summary: 'Every setting of the instance with its value and source; secrets are hidden',
  tag: 'superadmin',
  replies: { 200: Type.Object({ items: Type.Array(ShownSetting) }) },
  errors: [],
  access: { kind: 'superadmin' },
  rate: 'read',
})

export const downloadSupportBundle = route({
  operationId: 'downloadSupportBundle',
  method: 'GET',
  path: '/api/v1/superadmin/support-bundle',
  summary: 'A ZIP for support: settings, versions, health, migrations, tables and the last log lines, without secrets',
  tag: 'superadmin',
  replies: { 200: Type.String({ description: 'application/zip' }) },
  errors: [],
  access: { kind: 'superadmin' },
  rate: 'write',
})
