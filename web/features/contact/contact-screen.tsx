import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type ContactTopic, contactLimits, contactTopics, sendContactMessage } from '#contract/contact.ts'
import { describeTopic } from '#contract/contact-words.ts'
import { call } from '#web/lib/api.ts'
import { checkContact } from '#web/lib/check-contact.ts'
import { useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { Textarea } from '#web/ui/textarea.tsx'

interface Fields {
  topic: ContactTopic
  name: string
  email: string
  message: string
}

/** A message from someone signed in to the operator of the instance. */
export function ContactScreen() {
  const [isSent, setSent] = useState(false)
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-1 flex-col gap-6 px-4 py-6 sm:px-8 sm:py-8">
      <div className="flex flex-col gap-1">
        <h1 className="font-semibold text-2xl">Contact</h1>
        <p className="text-base text-muted">Your message goes to the people who run this instance.</p>
      </div>
      {isSent ? <Sent onAgain={() => setSent(false)} /> : <ContactForm onSent={() => setSent(true)} />}
    </div>
  )
}

function Sent({ onAgain }: { onAgain: () => void }) {
  return (
    <output className="flex flex-col items-start gap-3 rounded-lg border border-border bg-surface p-6 shadow-sm">
      <h2 className="font-semibold text-xl">Message sent</h2>
      <p className="text-base text-muted">Your message is stored. The answer comes to the address that you gave.</p>
      <Button variant="secondary" onClick={onAgain}>
        Write another message
      </Button>
    </output>
  )
}

function ContactForm({ onSent }: { onSent: () => void }) {
  const { email = '', user_metadata: metadata } = useUser()
  // The same for repeated attempts: the message is stored once.
  const [id] = useState(() => crypto.randomUUID())
  const { register, handleSubmit, formState, setError } = useForm<Fields>({
    defaultValues: {
      topic: 'question',
      name: typeof metadata.full_name === 'string' ? metadata.full_name : '',
      email,
      message: '',
    },
  })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async (fields) => {
    const wrong = Object.entries(checkContact(fields))
    for (const [name, message] of wrong) {
      // The names of fields, as the check gives them.
      setError(name as keyof Fields, { message }, { shouldFocus: true })
    }
    if (wrong.length > 0) return
    const { topic, name, email: address, message } = fields
    const body = { id, topic, name: name.trim(), email: address.trim(), message: message.trim() }
    try {
      await call(sendContactMessage, { body })
      onSent()
    } catch (error) {
      setError('root', { message: error instanceof Error ? error.message : String(error) })
    }
  })
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-5">
      <Field label="Topic">
        {(control) => (
          <Select {...control} {...register('topic')}>
            {contactTopics.map((topic) => (
              <option key={topic} value={topic}>
                {describeTopic(topic)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Name" error={errors.name?.message}>
        {(control) => <Input {...control} autoComplete="name" maxLength={contactLimits.name} {...register('name')} />}
      </Field>
      <Field label="Email" error={errors.email?.message}>
        {(control) => <Input {...control} type="email" autoComplete="email" {...register('email')} />}
      </Field>
      <Field label="Message" error={errors.message?.message}>
        {(control) => <Textarea {...control} rows={7} maxLength={contactLimits.message} {...register('message')} />}
      </Field>
      {errors.root?.message !== undefined && (
        <p role="alert" className="text-base text-danger-text">
          {errors.root.message}
        </p>
      )}
      <div>
        <Button type="submit" loading={isSubmitting}>
          Send message
        </Button>
      </div>
    </form>
  )
}
