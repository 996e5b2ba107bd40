import type { FeedbackPriority } from '#contract/feedback.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { ask, isNamed, type JiraApi, type JiraField, type JiraTransition, readProject } from './jira-api.ts'

/* What Jira's forms ask for: that of a new issue, and those of transitions. */

/** Fields that Earshot or Jira itself fills. */
const filledFields: ReadonlySet<string> = new Set(['project', 'issuetype', 'summary', 'description', 'reporter'])

/** Names of required fields of a new issue that stay empty. */
export function listUnfillable(fields: Readonly<Record<string, JiraField>>): string[] {
  return Object.entries(fields).flatMap(([id, { name, required, hasDefaultValue }]) =>
    required && hasDefaultValue !== true && !filledFields.has(id) ? [name] : [],
  )
}

export const readTypeName = ({ settings: { issueType = 'Task' } }: JiraApi) => issueType

/** The issue type, and the fields of its form, by their ids. */
export async function readCreateScreen(
  api: JiraApi,
): Promise<{ typeId: string; fields: Readonly<Record<string, JiraField>> }> {
  const path = `/rest/api/3/issue/createmeta/${readProject(api)}/issuetypes`
  const types = await ask<{ issueTypes: { id: string; name: string }[] }>(api, `${path}?maxResults=200`)
  const type = types.issueTypes.find(({ name }) => isNamed(name, readTypeName(api)))
  if (!type) {
    const known = types.issueTypes.map(({ name }) => name).join(', ')
    throw new DeliveryFailure(`The project has no issue type “${readTypeName(api)}”. It has: ${known}.`)
  }
  const screen = `${path}/${type.id}?maxResults=200`
  const { fields } = await ask<{ fields: (JiraField & { fieldId: string })[] }>(api, screen)
  return { typeId: type.id, fields: Object.fromEntries(fields.map((field) => [field.fieldId, field])) }
}

const priorityNames: Readonly<Record<Exclude<FeedbackPriority, 'none'>, readonly string[]>> = {
  urgent: ['highest', 'urgent', 'critical', 'blocker'],
  high: ['high', 'major'],
  medium: ['medium', 'normal'],
  low: ['low', 'minor'],
}

/** By name; where a site has names of its own, by the place in its list, which begins with the highest. */
export function choosePriority(
  offered: readonly { id: string; name: string }[],
  priority: FeedbackPriority | null,
): string | undefined {
  if (priority === null || priority === 'none') return undefined
  const levels = Object.keys(priorityNames)
  const named = offered.find(({ name }) => priorityNames[priority].includes(name.toLowerCase()))
  return (named ?? offered[Math.floor((levels.indexOf(priority) / levels.length) * offered.length)])?.id
}

/** Undefined: no one who can be assigned has this email address, as far as the token may see. */
export async function findAccount(api: JiraApi, email: string): Promise<string | undefined> {
  const query = new URLSearchParams({ project: readProject(api), query: email })
  const path = `/rest/api/3/user/assignable/search?${query}`
  const users = await ask<{ accountId: string; emailAddress?: string }[]>(api, path)
  // People may hide their address, by which Jira finds them all the same.
  const exact = users.find(({ emailAddress }) => emailAddress !== undefined && isNamed(emailAddress, email))
  return (exact ?? (users.length === 1 ? users[0] : undefined))?.accountId
}

/** Values that a transition asks for. @throws DeliveryFailure for fields that only people can fill. */
export function fillScreen({ name, fields = {} }: JiraTransition): Readonly<Record<string, unknown>> | undefined {
  const required = Object.entries(fields).filter(([, field]) => field.required && field.hasDefaultValue !== true)
  const [unknown] = required.filter(([id]) => id !== 'resolution').map(([, field]) => field.name)
  const [, resolution] = required.find(([id]) => id === 'resolution') ?? []
  const offered = resolution?.allowedValues ?? []
  const chosen = offered.find((value) => /^(?:done|fixed|resolved)$/i.test(value.name)) ?? offered[0]
  if (unknown !== undefined || (resolution && !chosen)) {
    const sentence = `Jira’s transition “${name}” asks for “${unknown ?? resolution?.name}”, which Earshot can’t fill.`
    throw new DeliveryFailure(`${sentence} Make it optional, or move the issue in Jira.`, { kind: 'refused' })
  }
  return chosen && { resolution: { id: chosen.id } }
}
