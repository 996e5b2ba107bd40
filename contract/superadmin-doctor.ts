import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { Timestamp } from './text.ts'

/** `not_applicable`: this instance does not use what the check is about, or it can't be checked from here. */
export const findingStatuses = ['failed', 'warning', 'ok', 'not_applicable'] as const
export type FindingStatus = (typeof findingStatuses)[number]

/** Groups of checks, in the order in which they are shown. */
export const checkAreas = [
  'Address',
  'Security',
  'Machine',
  'Database',
  'Jobs',
  'Emails',
  'Files',
  'Sign-in',
  'Payments',
  'Integrations',
  'Public pages',
] as const
export type CheckArea = (typeof checkAreas)[number]

const Finding = Type.Object({
  /** Of the check, as the guide names it. */
  id: Type.String(),
  area: Type.Enum([...checkAreas]),
  title: Type.String(),
  status: Type.Enum([...findingStatuses]),
  /** The finding, with the values that were read. */
  sentence: Type.String(),
  /** What to do; null: nothing. */
  remedy: nullable(Type.String()),
})
export type Finding = Static<typeof Finding>

export const DoctorReport = Type.Object({ checkedAt: Timestamp, findings: Type.Array(Finding) })
export type DoctorReport = Static<typeof DoctorReport>

export const getDoctorReport = route({
  operationId: 'getDoctorReport',
  method: 'GET',
  path: '/api/v1/superadmin/monitoring/doctor',
  summary: 'Check the instance: what is misconfigured or does not work, and what to do',
  tag: 'superadmin',
  replies: { 200: DoctorReport },
  errors: [],
  access: { kind: 'superadmin' },
  rate: 'write',
})
