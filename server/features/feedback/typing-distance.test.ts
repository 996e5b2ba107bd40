import { describe, expect, it } from 'vitest'
import { chooseNear, countSlips } from './typing-distance.ts'

describe('countSlips', () => {
  it.each([
    ['button', 'button', 0],
    ['buton', 'button', 1],
    ['butten', 'button', 1],
    ['bu tton', 'button', 1],
    ['ivnoice', 'invoice', 1],
    ['', 'abc', 3],
    ['größe', 'grösse', 2],
  ])('%j, %j: %i', (from, to, slips) => {
    expect([countSlips(from, to), countSlips(to, from)]).toEqual([slips, slips])
  })
})

describe('chooseNear', () => {
  it('takes the nearest first, and none that is too far', () => {
    expect(chooseNear('chekout', ['checkouts', 'checkup', 'checkout', 'chess'])).toEqual(['checkout', 'checkouts'])
    expect(chooseNear('menu', ['memo', 'menus', 'man'])).toEqual(['menus'])
  })
})
