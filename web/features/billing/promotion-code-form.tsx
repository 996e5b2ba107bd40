import { useState } from 'react'
import { applyPromotionCode } from '#contract/billing.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useBillingAct } from './use-billing-act.ts'

interface PromotionCodeFormProps {
  organizationId: string
  /** Brought along in the address. */
  initialCode: string
}

/** Applies a promotion code to the running plan. */
export function PromotionCodeForm({ organizationId, initialCode }: PromotionCodeFormProps) {
  const [code, setCode] = useState(initialCode)
  const applying = useBillingAct(
    organizationId,
    (typed: string) => call(applyPromotionCode, { params: { organizationId }, body: { code: typed } }),
    () => {
      toast({ title: 'Promotion code applied', tone: 'success' })
      setCode('')
    },
  )
  return (
    <form
      method="post"
      className="flex items-start gap-2 border-border border-t p-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (code.trim() !== '') applying.mutate(code.trim())
      }}
    >
      <Field label="Promotion code" error={applying.error?.message} className="max-w-72 flex-1">
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              autoComplete="off"
              maxLength={100}
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
            <Button type="submit" variant="secondary" loading={applying.isPending} disabled={code.trim() === ''}>
              Apply
            </Button>
          </div>
        )}
      </Field>
    </form>
  )
}
