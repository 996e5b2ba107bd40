import { expect, it } from 'vitest'
import type { Project } from '#contract/projects.ts'
import { arrangeProjects } from './arrange-projects.ts'

const make = (name: string, feedbackCount: number, day: number): Project => ({
  id: name,
  name,
  domain: `${name.toLowerCase()}.example`,
  extraOrigins: [],
  widgetKey: '',
  feedbackCount,
  widgetLastLoadedAt: null,
  archivedAt: null,
  retentionDays: null,
  emailsOnResolve: false,
  createdAt: `2026-01-0${day}T00:00:00.000Z`,
})
const projects = [make('Blog', 5, 1), make('Help', 50, 3), make('Shop', 20, 2)]
const names = (words: string, order: 'name' | 'feedback' | 'newest') =>
  arrangeProjects(projects, words, order).map(({ name }) => name)

it('finds by name or domain, every word of it', () => {
  expect(names('SHOP', 'name')).toEqual(['Shop'])
  expect(names('.example he', 'name')).toEqual(['Help'])
  expect(names('help shop', 'name')).toEqual([])
  expect(names('  ', 'name')).toEqual(['Blog', 'Help', 'Shop'])
})

it('sorts by what is asked for', () => {
  expect(names('', 'feedback')).toEqual(['Help', 'Shop', 'Blog'])
  expect(names('', 'newest')).toEqual(['Help', 'Shop', 'Blog'])
})
