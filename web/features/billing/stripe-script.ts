/** An embedded checkout, as Stripe's script gives it (https://docs.stripe.com/js/embedded_checkout). */
interface EmbeddedCheckout {
  mount(place: HTMLElement): void
  destroy(): void
}

interface StripeClient {
  createEmbeddedCheckoutPage(options: { clientSecret: string }): Promise<EmbeddedCheckout>
}

type CreateStripe = (publishableKey: string) => StripeClient

// Set by the script; undefined until then.
const readStripe = () => (window as unknown as { Stripe?: CreateStripe }).Stripe

/**
 * Loads Stripe's script, once. It must come from Stripe's own address: it may not be bundled.
 *
 * @throws Error when it can't be loaded; the next call tries again.
 */
export async function loadStripe(scriptUrl: string, publishableKey: string): Promise<StripeClient> {
  if (!readStripe()) await loadScript(scriptUrl)
  const create = readStripe()
  if (!create) throw new Error('Stripe’s script does not run in this browser')
  return create(publishableKey)
}

function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error('Stripe’s script could not be loaded'))
    }
    document.head.append(script)
  })
}
