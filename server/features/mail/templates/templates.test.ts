import { describe, expect, it } from 'vitest'
import { renderConversationReply } from '../conversation-reply.mail.ts'
import { renderMagicLink } from '../magic-link.mail.ts'
import type { RenderedMail } from '../mail-layout.ts'
import { renderOrganizationInvitation } from '../organization-invitation.mail.ts'
import { checkWords, findHints } from './check-words.ts'
import { describeLine, listVariables } from './describe-template.ts'
import { renderWith, setPresentWords, watchValues } from './present-words.ts'
import { samples } from './samples/samples.ts'
import { magicLink } from './sign-in.templates.ts'
import type { Template, Words } from './template.ts'
import { findTemplate, templates } from './templates.ts'

const appUrl = 'https://app.example.com'
const cases = templates.map((template) => [template.id, template] as const)

/** The email of every sample with other words. */
function renderAll(template: Template, words: Words): RenderedMail[] {
  return (samples[template.id] ?? []).map(({ render }) =>
    renderWith(new Map([[template.id, { ...template.defaultWords, ...words }]]), () => render(appUrl)),
  )
}

it('has samples of every template, and of nothing else', () => {
  expect(Object.keys(samples).sort()).toEqual(templates.map(({ id }) => id).sort())
  for (const [id, all] of Object.entries(samples)) expect(all.length, id).toBeGreaterThan(0)
})

describe.each(cases)('template %s', (_id, template) => {
  it('has good default words, and one meaning for each variable', () => {
    expect(checkWords(template, template.defaultWords)).toEqual([])
    const meanings = new Map<string, string>()
    for (const field of template.fields) {
      for (const [name, meaning] of Object.entries(field.variables)) {
        expect(meaning, name).toBe(meanings.get(name) ?? meaning)
        meanings.set(name, meaning)
      }
    }
  })

  it('gets a value for each of its variables from the code that renders it', () => {
    const given = new Set<string>()
    for (const { render } of samples[template.id] ?? []) {
      watchValues(
        (id, values) => {
          if (id === template.id) for (const name of Object.keys(values)) given.add(name)
        },
        () => render(appUrl),
      )
    }
    const phrases: readonly string[] = template.names.phrases
    for (const { name } of listVariables(template, appUrl)) {
      if (!phrases.includes(name)) expect([...given], name).toContain(name)
    }
  })

  it('shows every text in an email, with each variable that it may use', () => {
    for (const field of template.fields) {
      const variables = Object.keys(field.variables).map((name) => `{{${name}}}`)
      const text = `Own words ${variables.join(' | ')}.`
      expect(checkWords(template, { [field.name]: text }).filter(({ message }) => !/more than/.test(message))).toEqual(
        [],
      )
      const mails = renderAll(template, { [field.name]: text })
      const parts = mails.map((mail) => `${mail.subject}\n${mail.preview}\n${mail.html}\n${mail.text}`)
      expect(parts.join('\n'), field.name).toContain('Own words')
      expect(parts.join('\n'), field.name).not.toMatch(/\{\{|\}\}/)
    }
  })

  it('shows markup as text', () => {
    for (const { name } of template.fields) {
      const mails = renderAll(template, { [name]: `<script>alert(1)</script><b onclick="x">"'&</b>` })
      for (const { html } of mails) expect(html, name).not.toMatch(/<script|<b |<b>/)
    }
  })
})

describe('hostile values', () => {
  const link = {
    ...{ appUrl, link: `${appUrl}/x`, code: '012345', validMinutes: 60 },
    requester: { at: new Date('2026-11-21T05:40:00Z'), userAgent: null, ip: null },
  }

  it('cannot add a header to the subject, and are cut', () => {
    const words = new Map([['magic_link', { ...magicLink.defaultWords, subject: 'For {{email}}' }]])
    const long = 'x'.repeat(10_000)
    const [mail, other] = renderWith(words, () => [
      renderMagicLink({ ...link, to: 'a@b.co\r\nBcc: c@d.co' }),
      renderMagicLink({ ...link, to: long }),
    ])
    expect(mail?.subject).toBe('For a@b.co Bcc: c@d.co')
    expect(other?.subject).toHaveLength(200)
  })

  it('are escaped, and never read as notation', () => {
    const to = '{{product}} <script>"\'&</script>\u202E'
    const { html, text } = renderMagicLink({ ...link, to })
    expect(html).toContain('{{product}} &lt;script&gt;&quot;&#39;&amp;&lt;/script&gt;')
    expect(html).not.toContain('<script')
    expect(text).toContain('{{product}} <script>')
    expect(html + text).not.toContain('\u202E')
  })

  it('keep names from becoming links in words of superadmins', () => {
    const given = { appUrl, to: 'a@b.co', link: `${appUrl}/i`, inviterName: null, role: 'admin', validMinutes: 60 }
    const template = findTemplate('organization_invitation')
    const words = new Map([[template?.id ?? '', { ...template?.defaultWords, title: 'To {{organization}}' }]])
    const mail = renderWith(words, () => renderOrganizationInvitation({ ...given, organizationName: 'evil.example/x' }))
    expect(mail.text).not.toContain('evil.example')
  })
})

describe('checkWords', () => {
  const check = (words: Words, id = 'magic_link') => {
    const template = findTemplate(id)
    if (!template) throw new Error(`no template ${id}`)
    return checkWords(template, words)
  }

  it.each([
    [{ subject: 'Hi {{emial}}' }, 'subject', 'uses the unknown variable {{emial}}. Did you mean {{email}}?'],
    [{ subject: 'Hi {{zzzzzzzzzzzz}}' }, 'subject', 'uses the unknown variable {{zzzzzzzzzzzz}}'],
    [{ subject: 'Hi {{constructor}}' }, 'subject', 'uses the unknown variable {{constructor}}'],
    [{ subject: 'Hi {{code}}' }, 'subject', 'uses the unknown variable {{code}}'],
    [{ subject: '' }, 'subject', 'must not be empty'],
    [{ button: '' }, 'button', 'must not be empty'],
    [{ codeIntro: '' }, 'codeIntro', 'must not be empty'],
    [{ subject: 'a\nb' }, 'subject', 'must be one line'],
    [{ title: 'x'.repeat(201) }, 'title', 'must not have more than 200 characters'],
    [{ paragraphs: 'x'.repeat(10_000) }, 'paragraphs', 'must not have more than 5000 characters'],
    [
      { paragraphs: '{{#if email}}a{{/if}}' },
      'paragraphs',
      'contains “{{#if email}}”, which is no variable. Write a variable as {{name}}',
    ],
    [{ network: '{{network}}' }, 'network', 'uses the unknown variable {{network}}. Did you mean {{networkAddress}}?'],
    [{ colour: 'red' }, 'colour', 'is not a text of this email'],
  ])('refuses %j', (words, field, message) => {
    expect(check(words as Words)).toEqual([{ field, message }])
  })

  it('guards what an email can’t do without', () => {
    expect(check({ unsubscribe: 'Stop these emails' }, 'layout')).toEqual([
      { field: 'unsubscribe', message: 'must contain {{unsubscribeUrl}}' },
    ])
    expect(check({ paragraphs: '{{person}}, {{organization}} {{plan}}' }, 'withdrawal_receipt')).toEqual([
      { field: 'paragraphs', message: 'must contain {{time}}, here or in the small print' },
    ])
  })

  it('hints at what is allowed and perhaps not meant', () => {
    const words = { ...magicLink.defaultWords, preview: '', button: '<b>Go</b>' }
    expect(findHints(magicLink, words, 'X'.repeat(61)).map(({ field }) => field)).toEqual([
      'subject',
      'subject',
      'preview',
      'button',
    ])
    expect(findHints(magicLink, magicLink.defaultWords, 'Your sign-in link')).toEqual([])
  })
})

it('keeps link and code of a sign-in email whatever its words are', () => {
  const blank = {
    subject: 'a',
    preview: '',
    title: 'a',
    paragraphs: '',
    codeIntro: 'a',
    button: 'a',
    notes: '',
    network: '',
  }
  for (const { text } of renderAll(magicLink, blank)) {
    expect(text).toContain(`${appUrl}/auth/v1/verify?token=sample&type=magiclink`)
    expect(text).toContain('012345')
  }
})

it('says which emails a Supabase project sends', () => {
  const sent = templates.filter((template) => describeLine(template, undefined, { hasSupabase: true }).isSentBySupabase)
  expect(sent.map(({ group }) => group)).toEqual(Array.from({ length: 9 }, () => 'sign_in'))
  expect(describeLine(magicLink, undefined, { hasSupabase: false }).isSentBySupabase).toBe(false)
})

it('gives an email words of one moment, though they change while it is rendered', () => {
  const reply = { appUrl, link: `${appUrl}/c`, projectName: 'Shop', authorName: 'Ada', number: 1, message: '' }
  const words = (name: string) => new Map([['conversation_reply', { namedMember: name, title: `${name} {{sender}}` }]])
  setPresentWords(words('Old'))
  try {
    // Read in the middle of the rendering, after the template was opened.
    const text = Object.defineProperty({ ...reply, text: '' }, 'text', {
      get: () => {
        setPresentWords(words('New'))
        return 'Hello'
      },
    })
    expect(['Old Old replied', 'New New replied']).toContain(
      `${renderConversationReply(text).text.split('\n')[0]} replied`,
    )
    expect(renderConversationReply({ ...reply, text: '' }).text.split('\n')[0]).toBe('New New')
  } finally {
    setPresentWords(new Map())
  }
})
