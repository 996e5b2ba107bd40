import { DeliveryFailure } from '../delivery-failure.ts'
import { ask, type LinearApi } from './linear-api.ts'

/** Ids of labels by their names. Missing ones are created; those that Linear refuses are left out. */
export async function provideLabels(api: LinearApi, teamId: string, names: readonly string[]): Promise<string[]> {
  const wanted = new Map(names.map((name) => [name.toLowerCase(), name]))
  if (wanted.size === 0) return []
  const query = `query ($filter: IssueLabelFilter!) { issueLabels(first: 250, filter: $filter) { nodes { id name } } }`
  const filter = {
    isGroup: { eq: false },
    and: [
      { or: [{ team: { id: { eq: teamId } } }, { team: { null: true } }] },
      { or: [...wanted.values()].map((name) => ({ name: { eqIgnoreCase: name } })) },
    ],
  }
  const found = await ask<{ issueLabels: { nodes: { id: string; name: string }[] } }>(api, query, { filter })
  const ids = new Map(found.issueLabels.nodes.map(({ id, name }) => [name.toLowerCase(), id]))
  for (const [key, name] of wanted) {
    const id = ids.get(key) ?? (await createLabel(api, { teamId, name }))
    if (id !== undefined) ids.set(key, id)
  }
  return [...ids.values()]
}

async function createLabel(api: LinearApi, input: { teamId: string; name: string }): Promise<string | undefined> {
  const query = `mutation ($input: IssueLabelCreateInput!) { issueLabelCreate(input: $input) { issueLabel { id } } }`
  try {
    const made = await ask<{ issueLabelCreate: { issueLabel: { id: string } } }>(api, query, { input })
    return made.issueLabelCreate.issueLabel.id
  } catch (error) {
    if (error instanceof DeliveryFailure && (error.status === 400 || error.status === 403)) return undefined
    throw error
  }
}
