import { describe, expect, it } from 'vitest'
import { type Drawing, end, findCorners, follow, type Mark, save, shift, travel, whole } from './marks.ts'

const makeMark = (part: Partial<Mark> = {}): Mark => ({ tool: 'box', color: '#ff0000', at: [10, 20, 30, 40], ...part })
const makeDrawing = (...marks: Mark[]): Drawing => ({ marks, past: [], future: [] })

describe('shift', () => {
  it('moves a mark as a whole', () => {
    const mark = makeMark()
    shift(mark, whole, 5, -5)
    expect(mark.at).toEqual([15, 15, 35, 35])
  })

  it('resizes a mark at its end', () => {
    const mark = makeMark()
    shift(mark, end, 5, -5)
    expect(mark.at).toEqual([10, 20, 35, 35])
  })

  it('resizes a mark by each of its corners, and keeps the opposite one', () => {
    const sized = findCorners(makeMark()).map((corner) => {
      const mark = makeMark()
      shift(mark, corner, 1, 2)
      return mark.at
    })
    expect(sized).toEqual([
      [11, 22, 30, 40],
      [10, 22, 31, 40],
      [11, 20, 30, 42],
      [10, 20, 31, 42],
    ])
  })
})

describe('findCorners', () => {
  it('takes an arrow by its two ends only', () => expect(findCorners(makeMark({ tool: 'arrow' }))).toHaveLength(2))
})

describe('follow', () => {
  it('keeps the path of a pen as fractions of its rectangle', () => {
    const mark = makeMark({ tool: 'pen' })
    follow(mark, [
      [10, 10],
      [30, 50],
      [20, 30],
    ])
    expect(mark.at).toEqual([10, 10, 30, 50])
    expect(mark.points).toEqual([
      [0, 0],
      [1, 1],
      [0.5, 0.5],
    ])
  })

  it('takes a straight line', () => {
    const mark = makeMark({ tool: 'pen' })
    follow(mark, [
      [10, 10],
      [10, 50],
    ])
    expect(mark.points).toEqual([
      [0, 0],
      [0, 1],
    ])
  })
})

describe('travel', () => {
  const back = (drawing: Drawing) => travel(drawing, 'past', 'future')
  const forth = (drawing: Drawing) => travel(drawing, 'future', 'past')

  it('undoes and redoes, up to the first and last change', () => {
    const drawing = makeDrawing()
    save(drawing)
    drawing.marks = [makeMark()]
    save(drawing)
    drawing.marks = []
    back(drawing)
    expect(drawing.marks).toEqual([makeMark()])
    back(drawing)
    back(drawing)
    expect(drawing.marks).toEqual([])
    forth(drawing)
    expect(drawing.marks).toEqual([makeMark()])
    forth(drawing)
    forth(drawing)
    expect(drawing.marks).toEqual([])
  })

  it('undoes changes of a mark itself', () => {
    const mark = makeMark()
    const drawing = makeDrawing(mark)
    save(drawing)
    shift(mark, whole, 5, 5)
    mark.color = '#00ff00'
    back(drawing)
    expect(drawing.marks).toEqual([makeMark()])
  })

  it('forgets undone changes after a new change', () => {
    const drawing = makeDrawing()
    save(drawing)
    drawing.marks = [makeMark()]
    back(drawing)
    save(drawing)
    drawing.marks = [makeMark({ tool: 'pen' })]
    forth(drawing)
    expect(drawing.marks).toEqual([makeMark({ tool: 'pen' })])
  })
})
