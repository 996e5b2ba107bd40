import '@material/web/dialog/dialog.js'

// A `<dialog>` inside a shadow root, with sentinels that keep the focus between them.
const root = document.querySelector('#root') as Element
root.innerHTML = `<button type="button">Basket</button>
  <md-dialog aria-label="Your basket"><div slot="content"><input aria-label="Coupon" /></div></md-dialog>`
const dialog = root.querySelector('md-dialog')
root.querySelector('button')?.addEventListener('click', () => dialog?.show())
