import { describe, expect, it } from 'vitest'
import { fillTemplate, findPlaceholders } from './fill-template.ts'

const values = {
  'visitor.name': 'Vera',
  'item.number': '12',
  'project.name': 'Northwind {{member.name}} $&',
  'member.name': undefined,
}

describe('fillTemplate', () => {
  it('fills in what is known, and leaves the rest to be seen', () => {
    const text =
      'Hi {{visitor.name}}, #{{ item.number }} of {{visitor.name}}.\n{{member.name}} {{order.id}} {{toString}}'
    expect(fillTemplate(text, values)).toBe('Hi Vera, #12 of Vera.\n{{member.name}} {{order.id}} {{toString}}')
  })

  it('takes values as they are', () => {
    expect(fillTemplate('{{project.name}}', values)).toBe('Northwind {{member.name}} $&')
  })

  it('fills in nothing for a blank value', () => {
    expect(fillTemplate('{{visitor.name}}', { ...values, 'visitor.name': ' ' })).toBe('{{visitor.name}}')
  })
})

describe('findPlaceholders', () => {
  it('names each once', () => {
    expect(findPlaceholders('{{a}} {{ a }} {{order.id}} {b} {{}} {{ }} {{c\nd}}')).toEqual(['{{a}}', '{{order.id}}'])
  })
})
