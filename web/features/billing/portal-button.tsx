import { createPortalSession } from '#contract/billing.ts'
import { call } from '#web/lib/api.ts'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { useDeparture } from './use-departure.ts'

interface PortalButtonProps extends Pick<ButtonProps, 'variant' | 'children'> {
  organizationId: string
}

/** Leads to Stripe’s customer portal. */
export function PortalButton({ organizationId, variant = 'secondary', children }: PortalButtonProps) {
  const { leave, isLeaving, error } = useDeparture(() => call(createPortalSession, { params: { organizationId } }))
  return (
    <>
      {error && (
        <p role="alert" className="min-w-0 flex-1 text-base text-danger-text">
          {error.message}
        </p>
      )}
      <Button variant={variant} loading={isLeaving} onClick={leave} className="h-auto min-h-9 whitespace-normal py-1.5">
        {children}
      </Button>
    </>
  )
}
