const root = document.querySelector('#root') as Element
root.innerHTML = `<button type="button">Basket</button><dialog aria-label="Your basket"><input aria-label="Coupon" /></dialog>`
root.querySelector('button')?.addEventListener('click', () => root.querySelector('dialog')?.showModal())
