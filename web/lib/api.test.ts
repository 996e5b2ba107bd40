import { describe, expect, it } from 'vitest'
import { ApiError, buildUrl } from './api.ts'

describe('buildUrl', () => {
  it('fills in parameters, escaped', () => {
    expect(buildUrl('/api/v1/organizations/{organizationId}/x/{id}', { organizationId: 'a/b', id: 'c?' })).toBe(
      '/api/v1/organizations/a%2Fb/x/c%3F',
    )
  })

  it('repeats lists and leaves out what is undefined', () => {
    expect(buildUrl('/x', {}, { status: ['new', 'open'], q: 'a b', cursor: undefined, limit: 5 })).toBe(
      '/x?status=new&status=open&q=a+b&limit=5',
    )
  })

  it('refuses a missing parameter', () => {
    expect(() => buildUrl('/x/{id}')).toThrow('id')
  })
})

describe('ApiError', () => {
  const problem = {
    code: 'validation_failed',
    title: 'Some values are not valid.',
    status: 400,
    fields: [{ path: 'body.name', message: 'must not be empty' }],
    requestId: 'r',
  }

  it('says what a person should read', () => {
    expect(new ApiError(problem).message).toBe('Some values are not valid.')
    expect(new ApiError({ ...problem, detail: 'The name is empty.' }).message).toBe('The name is empty.')
  })

  it('finds the message of a field', () => {
    expect(new ApiError(problem).findFieldMessage('name')).toBe('must not be empty')
    expect(new ApiError(problem).findFieldMessage('domain')).toBeUndefined()
  })
})
