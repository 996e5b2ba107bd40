import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { Input } from './input.tsx'

interface TypedConfirmationProps {
  /** Text to type. */
  phrase: string
  isSame?: (typed: string) => boolean
  heading: string
  losses: readonly ReactNode[]
  note?: ReactNode
  /** On the button that does it. */
  action: string
  error: Error | null
  isPending: boolean
  onConfirm: (typed: string) => void
  onCancel: () => void
}

/** Dialog content before a permanent deletion: the consequences, and a name to type. */
export function TypedConfirmation({
  phrase,
  isSame = (typed) => typed.trim() === phrase.trim(),
  heading,
  losses,
  note,
  action,
  error,
  isPending,
  onConfirm,
  onCancel,
}: TypedConfirmationProps) {
  const [typed, setTyped] = useState('')
  const isRight = isSame(typed)
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (isRight && !isPending) onConfirm(typed)
      }}
    >
      <div className="rounded-md bg-danger-soft px-4 py-3 text-base text-danger-text">
        <p className="font-medium">{heading}</p>
        <ul className="mt-1 list-disc pl-5">
          {losses.map((loss, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes
            <li key={index}>{loss}</li>
          ))}
        </ul>
        {note !== undefined && <p className="mt-2">{note}</p>}
      </div>
      <Field
        label={
          <>
            Type{' '}
            <bdi className="select-all font-semibold [overflow-wrap:anywhere]" dir="auto">
              {phrase}
            </bdi>{' '}
            to confirm
          </>
        }
        error={error?.message}
      >
        {(control) => (
          <Input
            {...control}
            autoFocus
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="danger" disabled={!isRight} loading={isPending}>
          {action}
        </Button>
      </div>
    </form>
  )
}
