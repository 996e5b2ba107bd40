// The modal dialog of the W3C's Authoring Practices: the document hears every focus on its way down.
const root = document.querySelector('#root') as Element
root.innerHTML = `<button type="button">Basket</button>
  <section class="basket" role="dialog" aria-modal="true" aria-label="Your basket" hidden><input aria-label="Coupon" /></section>`
const box = root.querySelector('section') as HTMLElement
const field = root.querySelector('input') as HTMLInputElement
const trap = (event: FocusEvent) => {
  if (!box.contains(event.target as Node)) field.focus()
}
const close = (event: KeyboardEvent) => {
  if (event.key !== 'Escape') return
  document.removeEventListener('focus', trap, true)
  box.hidden = true
}
root.querySelector('button')?.addEventListener('click', () => {
  box.hidden = false
  document.addEventListener('focus', trap, true)
  document.addEventListener('keydown', close)
  field.focus()
})
