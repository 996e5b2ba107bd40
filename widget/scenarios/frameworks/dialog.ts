import { Dialog } from 'radix-ui'
import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'

const content = h(
  Dialog.Content,
  {
    style: { position: 'fixed', inset: '20% 30% auto', padding: 24, background: '#eee' },
    'aria-describedby': undefined,
  },
  h(Dialog.Title, null, 'Your basket'),
  h('input', { 'aria-label': 'Coupon' }),
  h(Dialog.Close, null, 'Pay'),
)
const dialog = h(
  Dialog.Root,
  null,
  h(Dialog.Trigger, null, 'Basket'),
  h(Dialog.Portal, null, h(Dialog.Overlay, { style: { position: 'fixed', inset: 0, background: '#0008' } }), content),
)

createRoot(document.querySelector('#root') as Element).render(dialog)
