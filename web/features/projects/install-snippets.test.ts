import { describe, expect, it } from 'vitest'
import { buildInstallGuides, buildSnippet } from './install-snippets.ts'

const key = 'wk_abcdefghijklmnopqrstuv'

describe('buildSnippet', () => {
  it('is one script tag, whether or not the address ends with a slash', () => {
    const snippet = `<script async crossorigin src="https://earshot.example/e/${key}.js"></script>`
    expect(buildSnippet('https://earshot.example', key)).toBe(snippet)
    expect(buildSnippet('https://earshot.example/', key)).toBe(snippet)
  })
})

describe('buildInstallGuides', () => {
  it('names the widget in the code of every guide', () => {
    for (const guide of buildInstallGuides('https://earshot.example', key)) {
      expect(guide.code).toContain(`https://earshot.example/e/${key}.js`)
    }
  })

  it('has an id for every guide', () => {
    const ids = buildInstallGuides('https://earshot.example', key).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
