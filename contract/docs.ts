import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { line } from './text.ts'

/** In the order in which readers find them. A section that is not listed comes last. */
export const guideSections = [
  'Start',
  'Install the widget',
  'Widget',
  'Work with feedback',
  'Integrations',
  'API and agents',
  'Run Earshot',
  'Privacy and security',
  'Plans and billing',
  'Help',
] as const

export const GuideSummary = Type.Object({
  /** The last part of its address: `/docs/guides/{path}`. */
  path: Type.String(),
  title: Type.String(),
  description: Type.String(),
  section: Type.String(),
  /** Day of the last change, e.g. `2026-01-31`; null: not known. */
  changed: nullable(Type.String()),
})
export type GuideSummary = Static<typeof GuideSummary>

const GuideHeading = Type.Object({
  /** Its anchor, without `#`. */
  id: Type.String(),
  text: Type.String(),
  /** 2 to 6. */
  level: Type.Integer(),
})

const GuideLink = Type.Object({ path: Type.String(), title: Type.String() })

export const Guide = Type.Object({
  ...GuideSummary.properties,
  /** Rendered from Markdown in which markup is text: safe to be put into a page. */
  html: Type.String(),
  headings: Type.Array(GuideHeading),
  /** Where its text can be changed; null: the instance names no such address. */
  editUrl: nullable(Type.String()),
  previous: nullable(GuideLink),
  next: nullable(GuideLink),
})
export type Guide = Static<typeof Guide>

/** A part of a guide, from a heading to the next. */
export const GuidePassage = Type.Object({
  path: Type.String(),
  title: Type.String(),
  section: Type.String(),
  /** The anchor of its heading, without `#`; empty: the guide's beginning. */
  id: Type.String(),
  heading: Type.String(),
  /** Text around the first word that was found. */
  excerpt: Type.String(),
})
export type GuidePassage = Static<typeof GuidePassage>

const open = { tag: 'docs', access: { kind: 'public' }, rate: 'read' } as const

export const listGuides = route({
  ...open,
  operationId: 'listGuides',
  method: 'GET',
  path: '/api/v1/docs/guides',
  summary: 'List the guides of the documentation, in reading order',
  replies: { 200: Type.Object({ items: Type.Array(GuideSummary) }) },
  errors: [],
})

export const readGuide = route({
  ...open,
  operationId: 'readGuide',
  method: 'GET',
  path: '/api/v1/docs/guides/{path}',
  summary: 'Read one guide',
  params: Type.Object({ path: Type.String({ maxLength: 200 }) }),
  replies: { 200: Guide },
  errors: ['guide_not_found'],
})

export const longestDocsQuery = 200

export const searchDocs = route({
  ...open,
  operationId: 'searchDocs',
  method: 'GET',
  path: '/api/v1/docs/search',
  summary: 'Search the documentation; the best passages first',
  query: Type.Object({ q: line({ maxLength: longestDocsQuery }) }, { additionalProperties: false }),
  replies: { 200: Type.Object({ items: Type.Array(GuidePassage) }) },
  errors: [],
})
