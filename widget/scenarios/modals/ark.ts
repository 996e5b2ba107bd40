import { Dialog } from '@ark-ui/react/dialog'
import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'

const content = h(
  Dialog.Content,
  { className: 'basket' },
  h(Dialog.Title, null, 'Your basket'),
  h('input', { 'aria-label': 'Coupon' }),
)

createRoot(document.querySelector('#root') as Element).render(
  h(
    Dialog.Root,
    null,
    h(Dialog.Trigger, null, 'Basket'),
    h(Dialog.Backdrop, { className: 'backdrop' }),
    h(Dialog.Positioner, null, content),
  ),
)
