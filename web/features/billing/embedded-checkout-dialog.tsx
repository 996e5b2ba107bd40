import { useEffect, useRef, useState } from 'react'
import { createCheckout, type NewCheckout } from '#contract/billing.ts'
import { call } from '#web/lib/api.ts'
import { useConfig } from '#web/lib/config.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { loadStripe } from './stripe-script.ts'

interface EmbeddedCheckoutDialogProps {
  organizationId: string
  planName: string
  choice: Omit<NewCheckout, 'ui'>
  onClose: () => void
}

/** Stripe’s form within the app. Once it is paid, Stripe leads to the billing settings. */
export default function EmbeddedCheckoutDialog({ planName, onClose, ...chosen }: EmbeddedCheckoutDialogProps) {
  const [attempt, setAttempt] = useState(1)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Pay for ${planName}`}
      description="By Stripe, our payment provider. Card numbers never reach Earshot."
      className="sm:max-w-2xl"
    >
      <CheckoutForm key={attempt} {...chosen} onRetry={() => setAttempt((count) => count + 1)} />
    </Dialog>
  )
}

function CheckoutForm({
  organizationId,
  choice,
  onRetry,
}: Pick<EmbeddedCheckoutDialogProps, 'organizationId' | 'choice'> & { onRetry: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  const { stripeScriptUrl, stripePublishableKey } = useConfig()
  const [state, setState] = useState<'loading' | 'shown' | Error>('loading')
  // biome-ignore lint/correctness/useExhaustiveDependencies: one checkout for each opening of the dialog
  useEffect(() => {
    let isGone = false
    let end = () => {}
    const show = async () => {
      const [{ clientSecret }, stripe] = await Promise.all([
        call(createCheckout, { params: { organizationId }, body: { ...choice, ui: 'embedded' } }),
        loadStripe(stripeScriptUrl ?? '', stripePublishableKey ?? ''),
      ])
      if (isGone) return
      const checkout = await stripe.createEmbeddedCheckoutPage({ clientSecret: clientSecret ?? '' })
      end = () => checkout.destroy()
      if (isGone) return end()
      if (place.current) checkout.mount(place.current)
      setState('shown')
    }
    show().catch((error: Error) => {
      if (!isGone) setState(error)
    })
    return () => {
      isGone = true
      end()
    }
  }, [])
  return (
    <>
      {state === 'loading' && (
        <div className="flex min-h-60 items-center justify-center">
          <Spinner label="Loading Stripe’s form" />
        </div>
      )}
      {state instanceof Error && <LoadFailure title="Couldn’t open the checkout" error={state} onRetry={onRetry} />}
      <div ref={place} />
    </>
  )
}
