import { describe, expect, it } from 'vitest'
import { listSteps } from './list-steps.ts'

const owner = { canCreate: true, canInvite: true, hasColleagues: false, canConnect: true, hasIntegrations: false }
const project = { id: 'p', widgetLastLoadedAt: null, feedbackCount: 0 }
const listDone = (...args: Parameters<typeof listSteps>) => listSteps(...args).map(({ isDone }) => isDone)

describe('listSteps', () => {
  it('completes each step by what has happened', () => {
    expect(listDone([], owner)).toEqual([false, false, false, false, false])
    expect(listDone([project], owner)).toEqual([true, false, false, false, false])
    const loaded = { ...project, widgetLastLoadedAt: '2026-01-01T00:00:00Z' }
    expect(listDone([project, loaded], owner)).toEqual([true, true, false, false, false])
    expect(listDone([{ ...loaded, feedbackCount: 1 }], owner)).toEqual([true, true, true, false, false])
    const team = { ...owner, hasColleagues: true }
    expect(listDone([{ ...loaded, feedbackCount: 1 }], team)).toEqual([true, true, true, true, false])
    expect(listDone([{ ...loaded, feedbackCount: 1 }], { ...team, hasIntegrations: true })).not.toContain(false)
  })

  it('counts feedback from the API as an installation', () => {
    expect(listDone([{ ...project, feedbackCount: 1 }], owner)).toEqual([true, true, true, false, false])
  })

  it('leaves out what a member may not do', () => {
    const viewer = {
      canCreate: false,
      canInvite: false,
      hasColleagues: false,
      canConnect: false,
      hasIntegrations: false,
    }
    const steps = listSteps([], viewer)
    expect(steps.map(({ title }) => title)).toEqual(['Ask for a project', 'Install the widget', 'Receive feedback'])
    expect(listSteps([project], viewer).map(({ title }) => title)).toEqual(['Install the widget', 'Receive feedback'])
    expect(steps.every(({ action }) => action === undefined)).toBe(true)
  })
})
