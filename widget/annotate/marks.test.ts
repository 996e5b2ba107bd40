import { describe, expect, it } from 'vitest'
import { boundsOf, createHistory, type Mark, replaceMark } from './marks.ts'

const mark = (part: Partial<Mark> = {}): Mark => ({ tool: 'box', color: '#f00', from: [10, 20], by: [5, 5], ...part })

describe('boundsOf', () => {
  it('knows marks drawn backwards', () => expect(boundsOf(mark({ by: [-5, -8] }))).toEqual([5, 12, 10, 20]))
})

describe('createHistory', () => {
  it('goes back and forth, and no further than there is', () => {
    const history = createHistory()
    const [one, two] = [[mark()], [mark(), mark()]]
    history.push(one)
    history.push(two)
    history.go(-1)
    expect(history.marks).toBe(one)
    history.go(-1)
    history.go(-1)
    expect(history.marks).toEqual([])
    history.go(1)
    history.go(1)
    history.go(1)
    expect(history.marks).toBe(two)
  })

  it('forgets what was undone when something else is done', () => {
    const history = createHistory()
    history.push([mark()])
    history.go(-1)
    const other = [mark({ tool: 'pen' })]
    history.push(other)
    history.go(1)
    expect(history.marks).toBe(other)
  })
})

describe('replaceMark', () => {
  const [one, two, three] = [mark(), mark({ tool: 'pen' }), mark({ tool: 'text' })]

  it('adds, replaces and removes', () => {
    expect(replaceMark([one], 1, two)).toEqual([one, two])
    expect(replaceMark([one, two], 0, three)).toEqual([three, two])
    expect(replaceMark([one, two, three], 1)).toEqual([one, three])
  })

  it('keeps one crop', () => {
    const [first, second] = [mark({ tool: 'crop' }), mark({ tool: 'crop', by: [9, 9] })]
    expect(replaceMark([first, one], 2, second)).toEqual([one, second])
    expect(replaceMark([first, one], 0, second)).toEqual([second, one])
  })
})
