/*
 * Trello for tests: one board, by the REST API 1 (https://developer.atlassian.com/cloud/trello/rest). What its documentation
 * does not name is refused.
 */
import {
  requireFields,
  serveTracker,
  type TrackerDouble,
  type TrackerReply,
  type TrackerRequest,
  UndocumentedError,
} from './tracker-double.ts'

interface Card {
  id: string
  shortLink: string
  idShort: number
  name: string
  desc: string
  idList: string
  idLabels: string[]
  closed: boolean
  dueComplete: boolean
}
interface Action {
  id: string
  type: string
  date: Date
  data: { text?: string; card: { shortLink: string } }
  memberCreator: { fullName: string }
}

const key = '0123456789abcdef0123456789abcdef'
const token = 'ATTA_token_of_the_test'
const board = { id: '60d5e1b2c3d4e5f6a7b8c9d0', shortLink: 'AbCd1234', name: 'Website' }
const maxLength = 16_384
const foreign = 'Foreign1'
const secret = 'Foreign2'

/** The board, with the API as its side for programs. */
class Board {
  readonly lists: readonly { id: string; name: string }[]
  readonly labels = [{ id: 'label0', name: 'feedback', color: 'green', idBoard: board.id }]
  readonly cards: Card[] = []
  readonly actions: Action[] = []
  isRevoked = false

  constructor(listNames: readonly string[]) {
    this.lists = listNames.map((name, at) => ({ id: `list${at}`, name }))
  }

  act(type: string, card: Card, fullName: string, text?: string): Action {
    const data = { card: { shortLink: card.shortLink }, ...(text !== undefined && { text }) }
    const action = { id: `action${this.actions.length}`, type, date: new Date(), data, memberCreator: { fullName } }
    this.actions.unshift(action)
    return action
  }

  show(card: Card) {
    return { ...card, idBoard: board.id, shortUrl: `https://trello.com/c/${card.shortLink}` }
  }

  find(name: string) {
    const found = this.cards.find(({ shortLink }) => shortLink === name)
    if (!found) throw new Error(`no card ${name}`)
    return found
  }

  handle(request: TrackerRequest): TrackerReply | undefined {
    const { method, path, query, headers, body } = request
    const isAllowed = headers.authorization === `OAuth oauth_consumer_key="${key}", oauth_token="${token}"`
    if (!isAllowed || this.isRevoked) return [401, 'invalid token']
    const [, version, kind, id, part, more] = path.split('/')
    if (version !== '1') return undefined
    const route = [method, kind, ...(id === undefined ? [] : [':id']), part, more].filter(Boolean).join(' ')
    if (kind === 'boards' && id !== board.shortLink && id !== board.id) return [404, 'board not found']
    const allow = (...names: string[]) => requireFields(Object.fromEntries(query), names)
    switch (route) {
      case 'GET tokens :id':
        allow('fields')
        return [200, { id: 't', dateExpires: '2031-05-01T00:00:00.000Z' }]
      case 'GET boards :id':
        allow('fields')
        return [200, board]
      case 'GET boards :id lists':
        allow('filter', 'fields')
        return [200, this.lists]
      case 'GET boards :id labels':
        allow('limit')
        return [200, this.labels]
      case 'GET boards :id actions':
        allow('filter', 'since', 'before', 'limit')
        return [200, this.listActions(query)]
      case 'POST labels': {
        const { name } = requireFields(body, ['name!', 'color!', 'idBoard!'])
        this.labels.push({ id: `label${this.labels.length}`, name: String(name), color: '', idBoard: board.id })
        return [200, this.labels.at(-1)]
      }
      case 'POST cards':
        return [200, this.createCard(body)]
    }
    if (route === 'GET cards :id' && id === foreign) {
      return [200, { shortLink: foreign, name: 'Secret', board: { shortLink: 'Zz99Zz99' } }]
    }
    if (route === 'GET cards :id' && id === secret) return [401, 'unauthorized card permission requested']
    const card = this.cards.find(({ shortLink }) => shortLink === id)
    if (kind === 'cards' && !card) return [404, 'The requested resource was not found.']
    if (!card) return undefined
    switch (route) {
      case 'GET cards :id':
        allow('fields', 'board', 'board_fields')
        return [200, { ...this.show(card), board: { id: board.id, shortLink: board.shortLink } }]
      case 'PUT cards :id': {
        const change = requireFields(body, ['idList', 'closed', 'dueComplete'])
        if (change.idList !== undefined && !this.lists.some((each) => each.id === change.idList))
          return [400, 'invalid idList']
        Object.assign(card, change)
        this.act('updateCard', card, 'Earshot')
        return [200, this.show(card)]
      }
      case 'GET cards :id actions':
        allow('filter!', 'limit')
        return [
          200,
          this.actions.filter(({ data, type }) => data.card.shortLink === id && type === query.get('filter')),
        ]
      case 'POST cards :id actions comments': {
        const { text } = requireFields(body, ['text!'])
        return [200, this.act('commentCard', card, 'Earshot', checkText(text))]
      }
    }
    return undefined
  }

  listActions(query: URLSearchParams): Action[] {
    const types = (query.get('filter') ?? '').split(',')
    const since = new Date(query.get('since') ?? 0)
    const found = this.actions.filter(({ type, date }) => types.includes(type) && date >= since)
    return found.slice(0, Number(query.get('limit') ?? 50))
  }

  createCard(body: unknown): object {
    const given = requireFields(body, ['idList!', 'name', 'desc', 'idLabels', 'pos'])
    const number = this.cards.length + 1
    const card = {
      id: `card${number}`,
      shortLink: `Card${String(number).padStart(4, '0')}`,
      idShort: number,
      name: checkText(given.name),
      desc: checkText(given.desc),
      idList: String(given.idList),
      idLabels: Array.isArray(given.idLabels) ? given.idLabels.map(String) : [],
      closed: false,
      dueComplete: false,
    }
    if (!this.lists.some(({ id }) => id === card.idList)) throw new UndocumentedError('invalid idList')
    this.cards.push(card)
    this.act('createCard', card, 'Earshot')
    return this.show(card)
  }
}

/** Starts it with the label “feedback”. */
export async function startTrelloDouble(listNames = ['To do', 'Doing', 'Done']): Promise<TrackerDouble> {
  const world = new Board(listNames)
  const served = await serveTracker((request) => world.handle(request))
  return {
    ...served,
    config: { board: 'https://trello.com/b/AbCd1234/website', apiKey: key, token, apiUrl: served.url },
    endsOn: '2031-05-01',
    foreign: [`https://trello.com/c/${foreign}/1-secret`, `https://trello.com/c/${secret}`],
    statuses: ['To do', 'Doing', 'Done'],
    issues: () =>
      world.cards.map((card) => ({
        key: card.shortLink,
        title: card.name,
        body: card.desc,
        status: `${world.lists.find(({ id }) => id === card.idList)?.name}${card.dueComplete ? ', complete' : ''}`,
        labels: card.idLabels.map((id) => world.labels.find((label) => label.id === id)?.name ?? ''),
        priority: null,
        assignee: null,
        comments: world.actions
          .filter(({ type, data }) => type === 'commentCard' && data.card.shortLink === card.shortLink)
          .map(({ data, memberCreator }) => ({ author: memberCreator.fullName, text: data.text ?? '' }))
          .reverse(),
      })),
    move: (name, status) => {
      const card = world.find(name)
      card.idList = world.lists.find((list) => list.name === status)?.id ?? ''
      world.act('updateCard', card, 'Grace')
    },
    comment: (name, text) => world.act('commentCard', world.find(name), 'Grace', text),
    remove: (name) => {
      world.act('deleteCard', world.find(name), 'Grace')
      world.cards.splice(world.cards.indexOf(world.find(name)), 1)
    },
    revoke: () => {
      world.isRevoked = true
    },
  }
}

function checkText(text: unknown): string {
  if (typeof text === 'string' && text !== '' && text.length <= maxLength) return text
  throw new UndocumentedError('invalid value for text')
}
