import { describe, expect, it } from 'vitest'
import type { FeedbackEvent } from '#contract/feedback.ts'
import { describeHistory } from './describe-history.ts'

let count = 0
function event(field: string, from: string | null, to: string | null, change: Partial<FeedbackEvent> = {}) {
  count += 1
  return { id: `e${count}`, field, from, to, actorName: 'Ada', createdAt: '2026-11-21T09:00:00.000Z', ...change }
}

const say = (...events: FeedbackEvent[]) => describeHistory(events).map(({ actor, text }) => `${actor} ${text}`)

describe('describeHistory', () => {
  it('tells a change of status', () => {
    expect(say(event('status', 'new', 'in_progress'))).toEqual(['Ada changed status from New to In progress'])
  })

  it('tells priorities', () => {
    expect(
      say(event('priority', 'none', 'high'), event('priority', 'high', 'low'), event('priority', 'low', 'none')),
    ).toEqual(['Ada set priority to High', 'Ada changed priority from High to Low', 'Ada removed the priority'])
  })

  it('tells closing with a reason in one sentence', () => {
    expect(say(event('closed_reason', null, 'duplicate'), event('status', 'open', 'closed'))).toEqual([
      'Ada closed this as Duplicate',
    ])
    expect(say(event('status', 'closed', 'open'), event('closed_reason', 'duplicate', null))).toEqual([
      'Ada changed status from Closed to Open',
    ])
  })

  it('tells a reason given later by itself', () => {
    expect(say(event('closed_reason', null, 'wont_fix'))).toEqual(["Ada set the reason to Won't fix"])
  })

  it('tells issues that were created, linked and unlinked', () => {
    expect(
      say(
        event('new_issue', null, 'GitHub Issues'),
        event('issue', null, 'GitHub Issues'),
        event('issue', 'acme/web#1', null),
      ),
    ).toEqual([
      'Ada created an issue in GitHub Issues',
      'Ada linked an existing issue of GitHub Issues',
      'Ada removed the link to acme/web#1',
    ])
  })

  it('does not name who is not known', () => {
    expect(say(event('status', 'new', 'open', { actorName: null }))).toEqual([
      'Someone changed status from New to Open',
    ])
  })

  it('tells fields and values it has never heard of', () => {
    expect(say(event('assignee_id', null, 'x'), event('status', 'new', 'constructor'))).toEqual([
      'Ada changed assignee id from nothing to x',
      'Ada changed status from New to constructor',
    ])
  })

  it('tells people, tags, locations and merging', () => {
    expect(
      say(
        event('assignee', null, 'Grace'),
        event('assignee', 'Grace', 'Lin'),
        event('assignee', 'Lin', null),
        event('tags', null, '["ui","a \\"b"]'),
        event('tags', '["ui","old"]', '["ui","new"]'),
        event('tags', 'not json', null),
        event('archived', null, '2026-11-21'),
        event('archived', '2026-11-21', null),
        event('deleted', null, '2026-11-21'),
        event('deleted', '2026-11-21', null),
        event('merged', null, '#7'),
        event('merged', '#7', null),
        event('duplicate', null, '#8'),
        event('duplicate', '#8', null),
      ),
    ).toEqual([
      'Ada assigned this to Grace',
      'Ada assigned this to Lin instead of Grace',
      'Ada unassigned Lin',
      'Ada added the tags ui, a "b',
      'Ada added the tag new and removed the tag old',
      'Ada archived this',
      'Ada moved this back to the inbox',
      'Ada moved this to the trash',
      'Ada restored this from the trash',
      'Ada merged this into #7',
      'Ada unmerged this from #7',
      'Ada merged #8 into this',
      'Ada unmerged #8 from this',
    ])
  })

  it('tells what a visitor reopened by answering', () => {
    const byNobody = { actorName: null }
    expect(say(event('status', 'resolved', 'open', byNobody), event('answer', null, 'reopened', byNobody))).toEqual([
      'The visitor changed status from Resolved to Open',
      'The visitor reopened this with a reply',
    ])
    expect(say(event('status', 'resolved', 'open', byNobody))).toEqual(['Someone changed status from Resolved to Open'])
  })
})
