/**
 * What the double serves as Stripe.js: embedded checkout only, as a frame with the session's page
 * (https://docs.stripe.com/js/embedded_checkout). A script of its own, because Stripe's talks to Stripe's hosts only.
 */
export function renderStripeJs(baseUrl: string): string {
  return `(() => {
  const createEmbeddedCheckoutPage = async ({ clientSecret, fetchClientSecret }) => {
    const secret = clientSecret ?? (await fetchClientSecret())
    const frame = document.createElement('iframe')
    frame.src = ${JSON.stringify(`${baseUrl}/embedded/`)} + encodeURIComponent(secret)
    frame.title = 'Checkout'
    frame.style.cssText = 'border:0;width:100%;min-height:60rem'
    const unmount = () => frame.remove()
    return {
      mount: (place) => (typeof place === 'string' ? document.querySelector(place) : place).append(frame),
      unmount,
      destroy: unmount,
    }
  }
  window.Stripe = Object.assign(() => ({ createEmbeddedCheckoutPage, initEmbeddedCheckout: createEmbeddedCheckoutPage }), { version: 3 })
})()
`
}
