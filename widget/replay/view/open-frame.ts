/** Empty text that pages with Trusted Types take as a document. */
interface TrustedTypesWindow {
  readonly trustedTypes?: { readonly emptyHTML: string }
}

/**
 * An empty document in a frame that runs no scripts, follows no links and takes no focus. It is made without a request
 * and by calls alone, so the strictest policy of a page allows it.
 * @param external false: the frame may not load anything from anywhere, whatever is put into it
 */
export async function openFrame(parent: Element, external: boolean): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-same-origin')
  frame.referrerPolicy = 'no-referrer'
  frame.inert = true
  frame.ariaHidden = 'true'
  frame.tabIndex = -1
  frame.style.cssText =
    'position:absolute;inset:0 auto auto 0;border:0;max-width:none;background:#fff;color-scheme:light;pointer-events:none;transform-origin:0 0'
  const loaded = new Promise((resolve, reject) => {
    frame.onload = resolve
    frame.onerror = reject
  })
  // A document of this kind is in standards mode, which an empty frame would not be.
  frame.srcdoc = (window as TrustedTypesWindow).trustedTypes?.emptyHTML ?? ''
  parent.append(frame)
  await loaded
  const page = frame.contentDocument
  if (!page) throw new Error('The browser gave no frame.')
  if (!external) {
    const policy = page.createElement('meta')
    policy.httpEquiv = 'Content-Security-Policy'
    policy.content = "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; form-action 'none'"
    // Holds for the life of the document, also when the element is gone.
    page.head.append(policy)
  }
  return frame
}
