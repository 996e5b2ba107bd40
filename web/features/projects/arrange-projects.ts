import type { Project } from '#contract/projects.ts'

export const orderNames = { name: 'By name', feedback: 'Most feedback', newest: 'Newest first' } as const
export type ProjectOrder = keyof typeof orderNames

/** Projects that have all the words in name or domain, in the wanted order. `projects` come by name. */
export function arrangeProjects(projects: readonly Project[], words: string, order: ProjectOrder): Project[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const found = projects.filter(({ name, domain }) => {
    const text = `${name} ${domain}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  if (order === 'feedback') return found.sort((a, b) => b.feedbackCount - a.feedbackCount)
  if (order === 'newest') return found.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  return found
}
