import Type from 'typebox'
import { defineIntegration } from '../define-integration.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { fitText } from '../fit-text.ts'
import { fitBody } from '../issues/fit-body.ts'
import { automaticField, labelField, listLabels } from '../issues/issue-settings.ts'
import { pickStatus, readStage } from '../issues/pick-status.ts'
import type { Issue, IssueComment, IssueStatus, Tracker, TrackerApi } from '../issues/tracker.ts'
import { orMissing, readJson } from '../service-answer.ts'

/* Trello by its REST API, version 1 (https://developer.atlassian.com/cloud/trello/rest). */

const trelloApi = 'https://api.trello.com'

const settings = Type.Object({
  board: Type.String({
    title: 'Board',
    description: 'Address of the board.',
    examples: ['https://trello.com/b/AbCd1234/website'],
    pattern: '^(https://trello\\.com/b/)?[A-Za-z0-9]{8}(/.*)?$',
    maxLength: 300,
  }),
  list: Type.Optional(
    Type.String({
      title: 'List',
      description: 'For new cards. Leave it empty for the first list of the board.',
      examples: ['Feedback'],
      maxLength: 200,
    }),
  ),
  apiKey: Type.String({
    title: 'API key',
    description: 'From trello.com/power-ups/admin, page “API key” of your Power-Up.',
    pattern: '^[!-~]+$',
    secret: true,
    maxLength: 100,
  }),
  token: Type.String({
    title: 'Token',
    description: 'Created by the link “Token” beside the API key. It reads and writes your boards.',
    pattern: '^[!-~]+$',
    secret: true,
    maxLength: 500,
  }),
  labels: labelField('Labels', 'For new cards, separated by commas. Missing ones are added to the board.'),
  createAutomatically: automaticField('a card'),
  apiUrl: Type.Optional(
    Type.String({
      title: 'API address',
      description: 'Change it only if requests to Trello go through a proxy.',
      examples: [trelloApi],
      format: 'uri',
      maxLength: 300,
    }),
  ),
})

type Settings = Type.Static<typeof settings>
type Api = TrackerApi<Settings>

interface TrelloCard {
  readonly shortLink: string
  readonly idShort: number
  readonly name: string
  readonly desc: string
  readonly shortUrl: string
  readonly closed: boolean
  readonly dueComplete: boolean
  readonly idList: string
  readonly idBoard: string
}
interface TrelloAction {
  readonly id: string
  readonly data: { readonly text?: string; readonly card?: { readonly shortLink?: string } }
  /** Missing once the account is deleted. */
  readonly memberCreator?: { readonly fullName: string }
}
interface Named {
  readonly id: string
  readonly name: string
}

const maxLengths = { name: 500, text: 16_384 }
const maxAnswerBytes = 4_000_000
const pageSize = 1000
const maxPages = 10
/** Cards in which a marker is looked for, newest first. */
const maxSearched = 50
const cardFields = 'fields=shortLink,idShort,name,desc,shortUrl,closed,dueComplete,idList,idBoard'
const changes = ['updateCard', 'commentCard', 'updateComment', 'deleteCard', 'moveCardFromBoard', 'moveCardToBoard']

const tracker: Tracker<Settings> = {
  markers: 'link',
  takes: ['labels'],
  stages: ['todo', 'started', 'done'],

  create: async (api, { title, body, labels }) => {
    const statuses = await listStatuses(api)
    const list = findList(api.settings, statuses)
    const card = {
      idList: list.id,
      name: fitText(title, maxLengths.name),
      desc: fitBody(body, maxLengths.text),
      idLabels: await findLabels(api, labels),
    }
    return toIssue(await ask<TrelloCard>(api, '/cards', 'POST', card), statuses)
  },

  findByMarker: async (api, marker) => {
    for (const { data } of await listActions(api, `filter=createCard&limit=${maxSearched}`)) {
      const card = data.card?.shortLink === undefined ? undefined : await findCard(api, data.card.shortLink)
      if (card?.desc.includes(marker)) return toIssue(card, await listStatuses(api))
    }
    return undefined
  },

  read: async (api, key) => {
    const card = await findCard(api, key)
    return card && toIssue(card, await listStatuses(api))
  },

  listStatuses: (api) => listStatuses(api),

  setStage: async (api, key, stage, statusId) => {
    const statuses = await listStatuses(api)
    const status = pickStatus(statuses, stage, statusId)
    const card = await findCard(api, key)
    if (!status || !card) throw new DeliveryFailure('The card was deleted meanwhile.')
    // Without a change, the card shows no activity that would be polled.
    if (toIssue(card, statuses).status.id === status.id) return status
    const isComplete = status.id === complete.id
    const change = isComplete ? { dueComplete: true } : { idList: status.id, closed: false }
    const reopened = status.stage === 'done' ? {} : { dueComplete: false }
    await ask(api, `/cards/${key}`, 'PUT', { ...change, ...reopened })
    return status
  },

  listComments: async (api, key) => {
    const actions = await ask<TrelloAction[]>(api, `/cards/${key}/actions?filter=commentCard&limit=${pageSize}`)
    const comments = actions.map(({ id, data, memberCreator }): IssueComment => {
      return { id, author: memberCreator?.fullName ?? 'Former member', text: data.text ?? '' }
    })
    return comments.reverse()
  },

  addComment: async (api, key, text) => {
    const comment = { text: fitBody(text, maxLengths.text) }
    return (await ask<Named>(api, `/cards/${key}/actions/comments`, 'POST', comment)).id
  },

  // That a card is on the connected board shows when it is read.
  readReference: (_, text) => /^https:\/\/trello\.com\/c\/([A-Za-z0-9]{8})(?:\/.*)?$/.exec(text)?.[1],

  // Trello signs its calls together with their address, by the secret of a Power-Up. Changes are polled instead.
  readHook: () => undefined,

  listChanged: async (api, since) => {
    const keys = new Set<string>()
    let before = ''
    for (let page = 0; page < maxPages; page += 1) {
      const range = `since=${since.toISOString()}&limit=${pageSize}${before}`
      const actions = await listActions(api, `filter=${changes.join(',')}&${range}`)
      for (const { data } of actions) if (data.card?.shortLink !== undefined) keys.add(data.card.shortLink)
      if (actions.length < pageSize) break
      before = `&before=${actions.at(-1)?.id}`
    }
    return [...keys]
  },
}

export const trello = defineIntegration({
  type: 'trello',
  name: 'Trello',
  category: 'issues',
  summary: 'Creates cards from feedback. Status and comments stay alike on both sides.',
  guide: 'trello',
  settings,
  defaultEvents: ['feedback.created', 'feedback.status_changed', 'feedback.commented'],
  tracker,
  connect: async (given, { send }) => {
    const api = { settings: given, send }
    const { dateExpires } = await ask<{ dateExpires: string | null }>(api, `/tokens/${given.token}?fields=dateExpires`)
    const { name } = await ask<Named>(api, `/boards/${boardOf(given)}?fields=name`)
    findList(given, await listStatuses(api))
    return { account: name, credentialsEndAt: dateExpires === null ? null : new Date(dateExpires) }
  },
})

/** For boards whose lists name no end of the work. */
const complete: IssueStatus = { id: 'complete', name: 'Complete', stage: 'done' }
const archived: IssueStatus = { id: 'archived', name: 'Archived', stage: 'done' }

/** The lists of the board, in its order. */
async function listStatuses(api: Api): Promise<IssueStatus[]> {
  const lists = await ask<Named[]>(api, `/boards/${boardOf(api.settings)}/lists?filter=open&fields=name`)
  const statuses = lists.map(({ id, name }, at): IssueStatus => ({ id, name, stage: readStage(name, at === 0) }))
  return [...statuses, complete]
}

function findList({ list }: Settings, statuses: readonly IssueStatus[]): IssueStatus {
  const lists = statuses.filter((status) => status !== complete)
  const found = list === undefined ? lists[0] : lists.find(({ name }) => isSame(name, list))
  if (found) return found
  throw new DeliveryFailure(list === undefined ? 'The board has no list.' : `The board has no list “${list}”.`)
}

/** Ids of labels by their names; missing ones are added to the board. */
async function findLabels(api: Api, more: readonly string[]): Promise<string[]> {
  const names = listLabels(api.settings.labels, more)
  if (names.length === 0) return []
  const board = await ask<Named>(api, `/boards/${boardOf(api.settings)}?fields=name`)
  const known = await ask<Named[]>(api, `/boards/${board.id}/labels?limit=${pageSize}`)
  const ids: string[] = []
  for (const name of names) {
    const label = { name, color: null, idBoard: board.id }
    const found = known.find((each) => isSame(each.name, name)) ?? (await ask<Named>(api, '/labels', 'POST', label))
    ids.push(found.id)
  }
  return ids
}

/** Undefined: it was deleted, the token may not see it, or it is on another board. */
async function findCard(api: Api, key: string): Promise<TrelloCard | undefined> {
  const path = `/cards/${key}?${cardFields}&board=true&board_fields=shortLink`
  const card = await orMissing(ask<TrelloCard & { board: { shortLink: string } }>(api, path))
  return card?.board.shortLink === boardOf(api.settings) ? card : undefined
}

const listActions = (api: Api, query: string) =>
  ask<TrelloAction[]>(api, `/boards/${boardOf(api.settings)}/actions?${query}`)

function toIssue(card: TrelloCard, statuses: readonly IssueStatus[]): Issue {
  // A list that is archived itself is not among the statuses.
  const list = statuses.find(({ id }) => id === card.idList) ?? archived
  const open = card.dueComplete && list.stage !== 'done' ? complete : list
  const { shortLink: key, idShort, name: title, shortUrl: url } = card
  return { key, label: `#${idShort}`, title, url, status: card.closed ? archived : open }
}

const isSame = (name: string, other: string) => name.trim().toLowerCase() === other.trim().toLowerCase()

/** Its short id, as in its address. */
const boardOf = ({ board }: Settings) => board.replace('https://trello.com/b/', '').slice(0, 8)

async function ask<Answer>(
  { settings: { apiKey, token, apiUrl = trelloApi }, send }: Api,
  path: string,
  method: 'GET' | 'POST' | 'PUT' = 'GET',
  json?: unknown,
): Promise<Answer> {
  const headers = { authorization: `OAuth oauth_consumer_key="${apiKey}", oauth_token="${token}"` }
  const options = { method, headers, maxAnswerBytes, judge, ...(json !== undefined && { json }) }
  const answer = await send(`${apiUrl.replace(/\/$/, '')}/1${path}`, options)
  return readJson<Answer>(answer, 'Trello')
}

/** Trello answers 401 also for one card or board that a valid token may not see. */
function judge({ status, body }: { status: number; body: Buffer }): DeliveryFailure | undefined {
  if (status !== 401 || !body.includes('permission requested')) return undefined
  return new DeliveryFailure('The token may not see this board or card.', { status: 404 })
}
