/* What the double of GitLab keeps: projects with issues, notes and webhooks, and the calls that changes cause. */
import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

export interface GitLabNote {
  readonly id: number
  readonly body: string
  readonly system: boolean
  readonly internal: boolean
  readonly author: { readonly id: number; readonly username: string; readonly name: string }
  readonly created_at: string
}
export interface GitLabIssue {
  readonly id: number
  readonly iid: number
  readonly project_id: number
  readonly title: string
  readonly description: string
  readonly labels: readonly string[]
  readonly assignees: readonly { readonly id: number }[]
  readonly state: 'opened' | 'closed'
  readonly moved_to_id: number | null
  readonly created_at: string
  readonly updated_at: string
  readonly web_url: string
  readonly references: { readonly short: string; readonly full: string }
}
export interface GitLabHook {
  readonly id: number
  readonly projectId: number
  readonly url: string
  readonly token?: string
  readonly signingToken?: string
  readonly events: Readonly<Record<string, unknown>>
}
export interface GitLabToken {
  readonly role: 'developer' | 'maintainer'
  readonly scopes: readonly string[]
  /** A day, such as `2027-01-31`. */
  readonly expires_at: string | null
}

export const gitlabProjects: readonly { readonly id: number; readonly path_with_namespace: string }[] = [
  { id: 7, path_with_namespace: 'acme/tools/website' },
  { id: 8, path_with_namespace: 'acme/archive' },
]
const ada = { id: 1, username: 'ada', name: 'Ada Lovelace' }
export const gitlabMembers = [
  { ...ada, public_email: 'ada@example.com' },
  { id: 2, username: 'grace', name: 'Grace Hopper', public_email: '' },
]

const now = () => new Date().toISOString()

export class GitLabStore {
  url = ''
  /** False: a version before 19.0, which signs no webhooks. */
  signs = true
  /** Lines of texts that GitLab has carried out as commands. */
  readonly commands: string[] = []
  readonly tokens = new Map<string, GitLabToken>()
  issues: readonly GitLabIssue[] = []
  hooks: readonly GitLabHook[] = []
  readonly notes = new Map<number, readonly GitLabNote[]>()
  private lastId = 100

  nextId(): number {
    this.lastId += 1
    return this.lastId
  }

  addIssue(projectId: number, given: Partial<GitLabIssue>): GitLabIssue {
    const path = gitlabProjects.find(({ id }) => id === projectId)?.path_with_namespace
    const id = this.nextId()
    const issue: GitLabIssue = {
      id,
      iid: id,
      project_id: projectId,
      title: '',
      labels: [],
      assignees: [],
      state: 'opened',
      moved_to_id: null,
      created_at: now(),
      updated_at: now(),
      web_url: `${this.url}/${path}/-/issues/${id}`,
      references: { short: `#${id}`, full: `${path}#${id}` },
      ...given,
      description: this.carryOut(given.description ?? ''),
    }
    this.issues = [...this.issues, issue]
    this.callHooks(issue)
    return issue
  }

  changeIssue(id: number, changes: Partial<GitLabIssue>): GitLabIssue {
    const changed = { ...this.getIssue(id), ...changes, updated_at: now() }
    this.issues = this.issues.map((each) => (each.id === id ? changed : each))
    this.callHooks(changed)
    return changed
  }

  /** Closes an issue and makes its successor in another project. */
  moveIssue(id: number, projectId: number): GitLabIssue {
    const { title, description } = this.getIssue(id)
    const moved = this.addIssue(projectId, { title, description })
    this.changeIssue(id, { state: 'closed', moved_to_id: moved.id })
    return moved
  }

  removeIssue(id: number): void {
    this.issues = this.issues.filter((each) => each.id !== id)
  }

  addNote(issueId: number, given: Partial<GitLabNote> & { body: string }): GitLabNote {
    const body = this.carryOut(given.body)
    const note = { id: this.nextId(), system: false, internal: false, author: ada, created_at: now(), ...given, body }
    this.notes.set(issueId, [...(this.notes.get(issueId) ?? []), note])
    this.issues = this.issues.map((each) => (each.id === issueId ? { ...each, updated_at: now() } : each))
    if (!note.system) this.callHooks(this.getIssue(issueId), note)
    return note
  }

  /** Undefined: GitLab refuses the signing token. Tokens are never shown; versions before 19.0 ignore signing tokens. */
  writeHook(id: number, projectId: number, body: Readonly<Record<string, unknown>>): object | undefined {
    const { url, token, signing_token: given, ...events } = body
    const signing = this.signs && typeof given === 'string' ? given : undefined
    if (signing !== undefined && Buffer.from(signing.replace('whsec_', ''), 'base64').length !== 32) return undefined
    const tokens = { ...(token ? { token: String(token) } : {}), ...(signing && { signingToken: signing }) }
    const hook = { id, projectId, url: String(url), events, ...tokens }
    this.hooks = [...this.hooks.filter((each) => each.id !== id), hook]
    return this.showHook(hook)
  }

  showHook({ id, url, signingToken }: GitLabHook): object {
    return { id, url, ...(this.signs && { signing_token_present: signingToken !== undefined }) }
  }

  private getIssue(id: number): GitLabIssue {
    const issue = this.issues.find((each) => each.id === id)
    if (!issue) throw new Error(`there is no issue ${id}`)
    return issue
  }

  /** A text without its commands, which are lines outside of code. */
  private carryOut(text: string): string {
    let isCode = false
    const kept = text.split('\n').filter((line) => {
      if (/^\s*```/.test(line)) isCode = !isCode
      const isCommand = !isCode && /^\s*\/[a-z_]+/.test(line)
      if (isCommand) this.commands.push(line)
      return !isCommand
    })
    return kept.join('\n')
  }

  private callHooks(issue: GitLabIssue, note?: GitLabNote): void {
    const project = gitlabProjects.find(({ id }) => id === issue.project_id)
    const kind = note ? 'note' : 'issue'
    const attributes = { id: issue.id, iid: issue.iid, title: issue.title, state: issue.state }
    const payload = note
      ? { object_attributes: { id: note.id, note: note.body, noteable_type: 'Issue' }, issue: attributes }
      : { object_attributes: { ...attributes, action: 'update' } }
    const body = JSON.stringify({ object_kind: kind, event_type: kind, user: ada, project, ...payload })
    for (const hook of this.hooks) {
      if (hook.projectId !== issue.project_id || hook.events[note ? 'note_events' : 'issues_events'] !== true) continue
      // A test may end before its last calls are answered.
      fetch(hook.url, { method: 'POST', headers: this.writeHookHeaders(hook, kind, body), body }).catch(() => {})
    }
  }

  private writeHookHeaders({ token, signingToken }: GitLabHook, kind: string, body: string): Record<string, string> {
    const id = randomUUID()
    const date = new Date()
    return {
      'content-type': 'application/json',
      'user-agent': `GitLab/${this.signs ? '19.0.0' : '18.4.0'}`,
      'x-gitlab-event': kind === 'issue' ? 'Issue Hook' : 'Note Hook',
      'x-gitlab-event-uuid': randomUUID(),
      'x-gitlab-instance': this.url,
      'idempotency-key': id,
      ...(token && { 'x-gitlab-token': token }),
      ...(this.signs && { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(date.getTime() / 1000)) }),
      ...(signingToken && { 'webhook-signature': new Webhook(signingToken).sign(id, date, body) }),
    }
  }
}
