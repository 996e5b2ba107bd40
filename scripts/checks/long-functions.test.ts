import { describe, expect, it } from 'vitest'
import { findLongFunctions } from './long-functions.ts'

const fill = (lines: number) => 'run()\n'.repeat(lines)

describe('findLongFunctions', () => {
  it('allows 80 lines and refuses 81', () => {
    expect(findLongFunctions('a.ts', `\nfunction fits() {\n${fill(78)}}\n`)).toEqual([])
    expect(findLongFunctions('a.ts', `\nfunction grown() {\n${fill(79)}}\n`)).toEqual([
      { line: 2, name: 'grown', lines: 81 },
    ])
  })

  it.each([
    ['constant', `const constant = (): void => {\n${fill(80)}}`],
    ['method', `const object = { method() {\n${fill(80)}} }`],
    ['member', `class Thing { member<T>(_: T) {\n${fill(80)}} }`],
    ['onclick', `button.onclick = function* () {\n${fill(80)}}`],
    ['callback of then', `promise.then(async () => {\n${fill(80)}})`],
    ['Row', `const View = memo(function Row() {\n${fill(80)}return <p>{1}</p>})`],
  ])('names %s', (name, source) => {
    expect(findLongFunctions('a.tsx', source)).toEqual([expect.objectContaining({ name })])
  })

  it('counts a nested function in the one around it', () => {
    const source = `function outer() {\n${fill(10)}const inner = () => {\n${fill(79)}}\n}`
    expect(findLongFunctions('a.ts', source).map(({ name }) => name)).toEqual(['outer', 'inner'])
  })

  it('counts no function of a long module', () => {
    expect(findLongFunctions('a.ts', `${fill(100)}export const short = () => 1\n`)).toEqual([])
  })
})
