import { withBasePath } from '../../../lib/base-path.ts'
import { checkContact } from '../../../lib/check-contact.ts'

const names = ['name', 'email', 'message'] as const

/** Sends the contact form, and says what became of it. A message that is sent twice is stored once. */
export function setUpContact(form: HTMLFormElement): void {
  let id = crypto.randomUUID()
  const sent = document.getElementById('contact-sent')
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]')

  const show = (isSent: boolean) => {
    form.hidden = isSent
    if (sent) sent.hidden = !isSent
    if (isSent) sent?.focus()
    else form.querySelector<HTMLElement>('[name=message]')?.focus()
  }
  document.getElementById('contact-again')?.addEventListener('click', () => {
    id = crypto.randomUUID()
    const message = form.querySelector<HTMLTextAreaElement>('[name=message]')
    if (message) message.value = ''
    show(false)
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const entered = readFields(form)
    setText('contact-failure', '')
    if (!showErrors(form, checkContact(entered)) || !button) return
    button.disabled = true
    try {
      const reply = await fetch(withBasePath('/api/v1/contact'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id, ...entered }),
      })
      if (reply.ok) show(true)
      else setText('contact-failure', await describeRefusal(reply))
    } catch {
      setText('contact-failure', 'Network error. Please check your connection and try again.')
    } finally {
      button.disabled = false
    }
  })
}

function readFields(form: HTMLFormElement) {
  const data = new FormData(form)
  const read = (name: string) => String(data.get(name) ?? '').trim()
  const website = read('website')
  return {
    topic: read('topic'),
    name: read('name'),
    email: read('email'),
    message: read('message').replaceAll('\r\n', '\n'),
    ...(website !== '' && { website }),
  }
}

/** @returns whether there are none. */
function showErrors(form: HTMLFormElement, errors: Partial<Record<string, string>>): boolean {
  const wrong = names.filter((name) => errors[name] !== undefined)
  for (const name of names) {
    setText(`contact-${name}-error`, errors[name] ?? '')
    form.querySelector(`[name=${name}]`)?.setAttribute('aria-invalid', String(wrong.includes(name)))
  }
  form.querySelector<HTMLElement>(`[name=${wrong[0] ?? 'none'}]`)?.focus()
  return wrong.length === 0
}

async function describeRefusal(reply: Response): Promise<string> {
  // Whatever stands between us and the server may answer, too.
  const problem = (await reply.json().catch(() => ({}))) as { title?: string }
  return problem.title ?? 'The message could not be sent. Try again in a moment.'
}

function setText(id: string, text: string): void {
  const element = document.getElementById(id)
  if (element) element.textContent = text
}
