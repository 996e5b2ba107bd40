import { createElement as h } from 'react'
import { Button, Dialog, DialogTrigger, Input, Modal, ModalOverlay } from 'react-aria-components'
import { createRoot } from 'react-dom/client'

const dialog = h(Dialog, { 'aria-label': 'Your basket', className: 'basket' }, h(Input, { 'aria-label': 'Coupon' }))
const modal = h(ModalOverlay, { className: 'backdrop', isDismissable: true }, h(Modal, null, dialog))

createRoot(document.querySelector('#root') as Element).render(h(DialogTrigger, null, h(Button, null, 'Basket'), modal))
