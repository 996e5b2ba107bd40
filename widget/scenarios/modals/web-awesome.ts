import '@awesome.me/webawesome/dist/components/dialog/dialog.js'

// A `<dialog>` inside a shadow root, closed by presses beside it and by Escape anywhere.
const root = document.querySelector('#root') as Element
root.innerHTML = `<button type="button">Basket</button>
  <wa-dialog label="Your basket" light-dismiss><input aria-label="Coupon" /></wa-dialog>`
const dialog = root.querySelector('wa-dialog')
root.querySelector('button')?.addEventListener('click', () => {
  if (dialog) dialog.open = true
})
