import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Withdrawal, withdrawFromContract } from '#contract/billing.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { formatUserName, useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useBillingAct } from './use-billing-act.ts'

interface WithdrawDialogProps {
  organizationId: string
  planName: string
  withdrawableUntil: string
  onClose: () => void
}

/** The declaration, then its confirmation (EU directive 2011/83, article 11a). */
export function WithdrawDialog({ organizationId, planName, withdrawableUntil, onClose }: WithdrawDialogProps) {
  const [declared, setDeclared] = useState<Withdrawal>()
  const user = useUser()
  const { register, handleSubmit, formState } = useForm<Withdrawal>({
    defaultValues: { name: formatUserName(user), email: user.email ?? '' },
  })
  const withdrawing = useBillingAct(
    organizationId,
    (body: Withdrawal) => call(withdrawFromContract, { params: { organizationId }, body }),
    () => {
      toast({ title: 'You withdrew from the contract', description: 'A receipt is on its way to you by email.' })
      onClose()
    },
  )
  const { error } = withdrawing
  const isAddressWrong = error instanceof ApiError && error.findFieldMessage('email') !== undefined
  if (declared) {
    return (
      <Dialog open onOpenChange={(open) => !open && onClose()} title="Confirm withdrawal">
        <Confirmation
          declared={declared}
          planName={planName}
          error={isAddressWrong ? 'Enter an email address.' : error?.message}
          isPending={withdrawing.isPending}
          onBack={() => setDeclared(undefined)}
          onConfirm={() => withdrawing.mutate(declared)}
        />
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Withdraw from contract"
      description={`As a consumer, you can withdraw until ${formatDay(withdrawableUntil)}, without giving a reason. The plan then ends at once, and your payment is refunded.`}
    >
      <form
        method="post"
        noValidate
        className="flex flex-col gap-5"
        onSubmit={handleSubmit(({ name, email }) => setDeclared({ name: name.trim(), email: email.trim() }))}
      >
        <Field label="Your name" error={formState.errors.name?.message}>
          {(control) => (
            <Input
              {...control}
              dir="auto"
              autoComplete="name"
              {...register('name', {
                validate: (value) => value.trim() !== '' || 'Enter your name.',
                maxLength: { value: 200, message: 'At most 200 characters.' },
              })}
            />
          )}
        </Field>
        <Field label="Email" hint="The receipt is sent there." error={formState.errors.email?.message}>
          {(control) => (
            <Input
              {...control}
              type="email"
              autoComplete="email"
              {...register('email', {
                validate: (value) => /^\S+@\S+\.\S+$/.test(value.trim()) || 'Enter an email address.',
              })}
            />
          )}
        </Field>
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Continue</Button>
        </div>
      </form>
    </Dialog>
  )
}

interface ConfirmationProps {
  declared: Withdrawal
  planName: string
  error: string | undefined
  isPending: boolean
  onBack: () => void
  onConfirm: () => void
}

/** The declaration in full, with the button that makes it. */
function Confirmation({ declared, planName, error, isPending, onBack, onConfirm }: ConfirmationProps) {
  return (
    <div className="flex flex-col gap-5">
      <p className="text-base">
        I, <bdi className="font-medium">{declared.name}</bdi>, withdraw from the contract for the plan {planName}. The
        receipt goes to <bdi className="font-medium">{declared.email}</bdi>.
      </p>
      <p className="text-base text-muted">
        The plan ends at once and your payment is refunded. New feedback is stored and locked.
      </p>
      {error !== undefined && (
        <p role="alert" className="text-base text-danger-text">
          {error}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={onBack}>
          Back
        </Button>
        <Button variant="danger" loading={isPending} onClick={onConfirm}>
          Confirm withdrawal
        </Button>
      </div>
    </div>
  )
}
