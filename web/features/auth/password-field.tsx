import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { cn } from '#web/ui/class-names.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { judgePassword, type PasswordStrength, shortestPassword } from './password-strength.ts'

interface PasswordFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  label: string
  error?: string | undefined
  /** The value, for a new password: shows its strength. */
  judged?: string | undefined
}

/** A password field with a show button. */
export function PasswordField({ label, error, judged, ...props }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field label={label} error={error} hint={judged === undefined ? undefined : <StrengthHint password={judged} />}>
      {(control) => (
        <div className="relative">
          <Input
            {...control}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            className="pr-11"
            {...props}
          />
          <button
            type="button"
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-0 right-0 flex w-10 items-center justify-center rounded-md text-muted hover:text-foreground focus-visible:outline-offset-[-3px]"
          >
            <Icon aria-hidden="true" className="size-4" />
            <span className="sr-only">{isShown ? 'Hide password' : 'Show password'}</span>
          </button>
        </div>
      )}
    </Field>
  )
}

const strengths: Readonly<Record<PasswordStrength, { bars: number; colour: string; text: string }>> = {
  empty: { bars: 0, colour: '', text: `At least ${shortestPassword} characters.` },
  short: { bars: 0, colour: '', text: `At least ${shortestPassword} characters.` },
  weak: { bars: 1, colour: 'bg-danger', text: 'Weak: easy to guess.' },
  fair: { bars: 2, colour: 'bg-warning-text', text: 'Fair: longer is better.' },
  strong: { bars: 3, colour: 'bg-success-text', text: 'Strong.' },
}

/** Always one line, so that nothing below it moves. */
function StrengthHint({ password }: { password: string }) {
  const { bars, colour, text } = strengths[judgePassword(password)]
  return (
    <span className="flex items-center justify-between gap-3">
      <span aria-live="polite">{text}</span>
      <span aria-hidden="true" className="flex shrink-0 gap-1">
        {[1, 2, 3].map((bar) => (
          <span key={bar} className={cn('h-1 w-5 rounded-full', bar <= bars ? colour : 'bg-border')} />
        ))}
      </span>
    </span>
  )
}
