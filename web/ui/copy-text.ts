/** Whether the text is in the clipboard now. Pages without TLS have no clipboard API, only the old command. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  const focused = document.activeElement
  area.value = text
  area.readOnly = true
  area.className = 'fixed opacity-0'
  // Inside an open dialog, whose focus trap would take the selection away from the page's body.
  ;(focused?.closest('[role="dialog"]') ?? document.body).append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    area.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
