import { createHmac, randomUUID } from 'node:crypto'

/* What a Jira Cloud site holds: its fixed parts, and issues and webhooks that change. */

interface JiraComment {
  readonly id: string
  readonly author: { readonly displayName: string }
  readonly body: unknown
  readonly visibility?: unknown
}

interface JiraIssue {
  readonly id: string
  readonly key: string
  readonly fields: Record<string, unknown>
  status: string
  readonly comments: JiraComment[]
  readonly created: number
  updated: number
}

export interface JiraHook {
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly secret: string
}

/** A request that Jira refuses. */
export class Refused extends Error {
  readonly status: number
  readonly errors: Readonly<Record<string, string>>

  constructor(status: number, message: string, errors: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.errors = errors
  }
}

export const email = 'earshot@example.com'
export const token = 'ATATT3xFfGF0-token-of-the-test'
export const projectKey = 'WEB'
export const statuses = [
  { id: '10000', name: 'To Do', statusCategory: { key: 'new' } },
  { id: '3', name: 'In Progress', statusCategory: { key: 'indeterminate' } },
  { id: '10010', name: 'In Review', statusCategory: { key: 'indeterminate' } },
  { id: '10001', name: 'Done', statusCategory: { key: 'done' } },
]
export const resolutions = [
  { id: '10100', name: 'Won’t Do' },
  { id: '10101', name: 'Done' },
]
export const users = [{ accountId: '5b10ac8d82e05b22cc7d4ef5', displayName: 'Mia Krystof', email: 'mia@example.com' }]

/** A site with one project. Tests change it as its people do. */
export class JiraSite {
  url = ''
  readonly email = email
  readonly token = token
  readonly issues: JiraIssue[] = []
  readonly hooks: JiraHook[] = []
  /** Whether the token's account may administer Jira, and so register webhooks. */
  isAdmin = true
  /** Names of statuses that the workflow leads to. */
  reachable: readonly string[] = statuses.map(({ name }) => name)
  /** Field that the transition to Done asks for, beside the resolution. */
  extraField: string | null = null
  /** So many answers to creations never arrive. */
  lostCreations = 0
  #lastId = 10_000

  nextId(): string {
    this.#lastId += 1
    return String(this.#lastId)
  }

  find(key = ''): JiraIssue {
    const found = this.issues.find((issue) => issue.id === key || issue.key === key)
    if (!found) throw new Refused(404, 'Issue does not exist or you do not have permission to see it.')
    return found
  }

  addIssue(fields: Record<string, unknown>): JiraIssue {
    const now = Date.now()
    const key = `${projectKey}-${this.issues.length + 1}`
    const added = { id: this.nextId(), key, fields, status: 'To Do', comments: [], created: now, updated: now }
    this.issues.push(added)
    return added
  }

  /** An issue as the API shows it, with the named fields alone. */
  show({ id, key, fields, status }: JiraIssue, names: readonly string[]) {
    const all: Record<string, unknown> = { ...fields, status: statuses.find(({ name }) => name === status) }
    const shown = Object.entries(all).filter(([name]) => names.includes(name))
    return { id, key, self: `${this.url}/rest/api/3/issue/${id}`, fields: Object.fromEntries(shown) }
  }

  async setStatus(key: string, name: string): Promise<void> {
    const issue = this.find(key)
    issue.status = name
    await this.announce('jira:issue_updated', issue)
  }

  async addComment(key: string, comment: Omit<JiraComment, 'id'>): Promise<JiraComment> {
    const issue = this.find(key)
    const added = { id: this.nextId(), ...comment }
    issue.comments.push(added)
    await this.announce('comment_created', issue)
    return added
  }

  /** Notes the time of a change and calls the webhooks for it, signed as Jira signs them. */
  async announce(event: string, issue: JiraIssue): Promise<void> {
    issue.updated = Date.now()
    const shown = this.show(issue, ['summary', 'status'])
    const body = JSON.stringify({ timestamp: Date.now(), webhookEvent: event, issue: shown })
    const called = this.hooks.filter(({ events }) => events.includes(event))
    await Promise.all(
      called.map(({ url, secret }) =>
        fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json; charset=UTF-8',
            'x-atlassian-webhook-identifier': randomUUID(),
            'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
          },
          body,
        }),
      ),
    )
  }
}

/** A text of one paragraph, as people write comments. */
export function writeParagraph(text: string): object {
  return { type: 'doc', version: 1, content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] }
}
