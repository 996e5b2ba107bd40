import { copyText } from '#web/ui/copy-text.ts'

const shownMs = 2000

/** Adds a button to every block of code that copies it, and says so. */
export function addCopyButtons(root: HTMLElement): void {
  for (const block of root.querySelectorAll<HTMLElement>('[data-code]')) {
    const code = block.querySelector('code')
    if (!code || block.querySelector('[data-copy]')) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.dataset.copy = ''
    button.textContent = 'Copy'
    const said = document.createElement('output')
    said.className = 'sr-only'
    let timer: ReturnType<typeof setTimeout> | undefined
    const say = (words: string, label: string) => {
      button.textContent = label
      said.textContent = words
      clearTimeout(timer)
      timer = setTimeout(() => say('', 'Copy'), shownMs)
    }
    button.addEventListener('click', async () => {
      const isCopied = await copyText((code.textContent ?? '').trimEnd())
      if (isCopied) say('Copied', 'Copied')
      else {
        // The browser refuses: the next Ctrl+C copies it.
        window.getSelection()?.selectAllChildren(code)
        say('Copying is blocked in this browser. The code is selected: press Ctrl+C.', 'Selected')
      }
    })
    block.append(button, said)
  }
}
