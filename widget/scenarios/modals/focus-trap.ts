import { createFocusTrap } from 'focus-trap'

// With the default options, presses outside of the trap are cancelled and stopped.
const root = document.querySelector('#root') as Element
root.innerHTML = `<button type="button">Basket</button>
  <section class="basket" role="dialog" aria-label="Your basket" hidden><input aria-label="Coupon" /></section>`
const box = root.querySelector('section') as HTMLElement
const trap = createFocusTrap(box, {
  onDeactivate() {
    box.hidden = true
  },
})
root.querySelector('button')?.addEventListener('click', () => {
  box.hidden = false
  trap.activate()
})
