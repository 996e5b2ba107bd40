import { findDomainProblem, reduceToHost } from './typed-domain.ts'

/** As many additional domains as a project may have. */
const maxDomains = 20

/**
 * The hosts of a typed or pasted list, separated by lines, spaces, commas or semicolons. Each is shortened to its domain,
 * and a repeated one is left out. What contains no host stays as typed, for {@link findListProblems} to name.
 */
export function listHosts(typed: string): string[] {
  const entries = typed.split(/[\s,;]+/).filter((entry) => entry !== '')
  return [...new Set(entries.map((entry) => reduceToHost(entry) || entry))]
}

/** The problem of each host, as lines for people. Empty when all look right; the server has the last word. */
export function findListProblems(hosts: readonly string[]): string[] {
  const problems = hosts.flatMap((host, at) => {
    const problem = findDomainProblem(host)
    return problem === undefined ? [] : [describeLine(hosts, at, problem)]
  })
  if (hosts.length > maxDomains) problems.push(`At most ${maxDomains} domains. These are ${hosts.length}.`)
  return problems
}

/** A problem of one host with its line, as it is shown below the list. */
export function describeLine(hosts: readonly string[], at: number, problem: string): string {
  return `Line ${at + 1}, “${hosts[at] ?? ''}”: ${problem}`
}
