import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { contactLimits, contactTopics } from '#contract/contact.ts'
import { describeTopic } from '#contract/contact-words.ts'
import { sitePages } from '#contract/site-pages.ts'
import { getPageContext } from '../../lib/page-context.ts'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { describePage, type PageMatches } from '../site/describe-page.ts'
import { PageHead } from '../site/page-head.tsx'

export function meta(page: PageMatches) {
  return describePage(page, sitePages.contact)
}

export function loader({ context }: LoaderFunctionArgs) {
  return { operator: getPageContext(context).siteContent.getOperator() }
}

/** A form to the operator. `site/script/contact.ts` sends it. */
export default function ContactRoute() {
  const { operator } = useLoaderData<typeof loader>()
  return (
    <div className="mx-auto grid w-full max-w-5xl gap-12 px-5 pt-12 pb-20 md:px-8 md:pt-16 lg:grid-cols-[1fr_18rem]">
      <div className="flex flex-col gap-8">
        <PageHead title="Contact">
          Your message goes to the people who run this instance. They answer by email.
        </PageHead>
        <ContactForm />
        <div
          id="contact-sent"
          hidden
          tabIndex={-1}
          role="status"
          className="flex flex-col items-start gap-3 rounded-lg border border-border bg-surface p-6 shadow-sm"
        >
          <h2 className="font-semibold text-xl">Message sent</h2>
          <p className="text-base text-muted">Your message is stored. The answer comes to the address that you gave.</p>
          <Button id="contact-again" variant="secondary">
            Write another message
          </Button>
        </div>
      </div>
      {operator.name !== null && (
        <aside aria-label="Operator" className="flex flex-col gap-2 text-base">
          <h2 className="font-semibold">Who you write to</h2>
          <address className="whitespace-pre-line text-muted not-italic">
            {[operator.name, operator.address].filter(Boolean).join('\n')}
          </address>
        </aside>
      )}
    </div>
  )
}

function ContactForm() {
  return (
    <form id="contact-form" noValidate className="flex max-w-xl flex-col gap-5">
      <div className="flex flex-col gap-1.5">
        <label htmlFor="contact-topic" className="font-medium text-base">
          Topic
        </label>
        <Select id="contact-topic" name="topic">
          {contactTopics.map((topic) => (
            <option key={topic} value={topic}>
              {describeTopic(topic)}
            </option>
          ))}
        </Select>
      </div>
      <TextField label="Name" name="name" autoComplete="name" maxLength={contactLimits.name} />
      <TextField label="Email" name="email" type="email" autoComplete="email" maxLength={254} />
      <div className="flex flex-col gap-1.5">
        <label htmlFor="contact-message" className="font-medium text-base">
          Message
        </label>
        <Textarea
          id="contact-message"
          name="message"
          rows={7}
          maxLength={contactLimits.message}
          aria-describedby="contact-message-error"
        />
        <FieldError name="message" />
      </div>
      {/* Out of sight and out of the way of the keyboard: only programs fill it in. */}
      <div aria-hidden="true" className="absolute -left-[9999px]">
        <label htmlFor="contact-website">Website</label>
        <input id="contact-website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <p id="contact-failure" role="alert" className="text-base text-danger-text empty:hidden" />
      <div className="flex items-center gap-4">
        <Button type="submit" size="lg">
          Send message
        </Button>
        <noscript className="text-base text-muted">The form needs JavaScript.</noscript>
      </div>
    </form>
  )
}

interface TextFieldProps {
  label: string
  name: 'name' | 'email'
  type?: string
  autoComplete: string
  maxLength: number
}

function TextField({ label, name, ...input }: TextFieldProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={`contact-${name}`} className="font-medium text-base">
        {label}
      </label>
      <Input id={`contact-${name}`} name={name} aria-describedby={`contact-${name}-error`} {...input} />
      <FieldError name={name} />
    </div>
  )
}

function FieldError({ name }: { name: string }) {
  return <p id={`contact-${name}-error`} className="text-danger-text text-sm empty:hidden" />
}
