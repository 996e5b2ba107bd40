import { type GuidePassage, searchDocs } from '#contract/docs.ts'
import { areShortcutsOn, isTakenElsewhere } from '#web/lib/shortcuts.ts'

interface SearchTarget {
  /** The address of a guide where the box is. */
  toAddress(path: string): string
  open(address: string): void
}

/** Shorter than between two keys of most people, so that results follow what is typed. */
const typingPauseMs = 80

/**
 * Makes a search box find guides as one types: a combobox with a list of results. `/` leads to it.
 *
 * @param box an element of {@link DocsSearch}
 * @returns what ends it.
 */
export function setUpSearch(box: HTMLElement, { toAddress, open }: SearchTarget): () => void {
  const input = box.querySelector('input')
  const list = box.querySelector<HTMLElement>('[role="listbox"]')
  const popup = list?.parentElement
  const note = box.querySelector<HTMLElement>('[data-note]')
  const said = box.querySelector('output')
  if (!input || !list || !popup || !note || !said) return () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking: AbortController | undefined

  const { state, setOpen, move, show } = createResults({ input, list, popup, note, said }, toAddress)
  const search = async () => {
    asking?.abort()
    asking = new AbortController()
    const { signal } = asking
    const query = input.value.trim()
    if (query === '') {
      said.textContent = ''
      setOpen(false)
      return
    }
    try {
      const reply = await fetch(`${searchDocs.path}?q=${encodeURIComponent(query)}`, { signal, credentials: 'omit' })
      if (!reply.ok) throw new Error(`The search answered ${reply.status}`)
      // The server answers by the contract.
      const { items } = (await reply.json()) as { items: GuidePassage[] }
      show(items, items.length === 0 ? `No results for “${query}”` : '')
    } catch {
      if (!signal.aborted) show([], 'Couldn’t search the guides. Try again.')
    }
  }
  const leaveFor = (address: string) => {
    setOpen(false)
    open(address)
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(search, typingPauseMs)
  })
  input.addEventListener('focus', () => {
    if (input.value.trim() !== '' && (state.options.length > 0 || note.textContent !== '')) setOpen(true)
  })
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    const { key } = event
    if (key === 'ArrowDown') move(1)
    else if (key === 'ArrowUp') move(-1)
    else if (key === 'Enter') {
      const option = state.options[Math.max(state.active, 0)]
      if (option && !popup.hidden) leaveFor(option.href)
    } else if (key === 'Escape' && !popup.hidden) setOpen(false)
    else return
    event.preventDefault()
  })
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && box.contains(relatedTarget))) setOpen(false)
  })
  // The focus stays in the field.
  popup.addEventListener('mousedown', (event) => event.preventDefault())
  list.addEventListener('click', (event) => {
    const option = event.target instanceof Element ? event.target.closest('a') : null
    // A new tab or window is the browser's.
    if (!option || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    leaveFor(option.href)
  })
  const focusBySlash = (event: KeyboardEvent) => {
    if (event.key !== '/' || !areShortcutsOn() || isTakenElsewhere(event)) return
    event.preventDefault()
    input.focus()
    input.select()
  }
  document.addEventListener('keydown', focusBySlash)
  return () => {
    clearTimeout(timer)
    asking?.abort()
    document.removeEventListener('keydown', focusBySlash)
  }
}

interface BoxParts {
  readonly input: HTMLInputElement
  readonly list: HTMLElement
  readonly popup: HTMLElement
  readonly note: HTMLElement
  readonly said: HTMLElement
}

/** The results below the field, and which of them is active. */
function createResults({ input, list, popup, note, said }: BoxParts, toAddress: SearchTarget['toAddress']) {
  const state: { options: HTMLAnchorElement[]; active: number } = { options: [], active: -1 }
  const setOpen = (isOpen: boolean) => {
    popup.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen && state.options.length > 0))
    if (!isOpen) activate(-1)
  }
  const activate = (at: number) => {
    state.active = state.options.length === 0 || at < 0 ? -1 : at % state.options.length
    for (const [index, option] of state.options.entries())
      option.setAttribute('aria-selected', String(index === state.active))
    const option = state.options[state.active]
    option?.scrollIntoView({ block: 'nearest' })
    if (option) input.setAttribute('aria-activedescendant', option.id)
    else input.removeAttribute('aria-activedescendant')
  }
  const show = (found: readonly GuidePassage[], message: string) => {
    state.options = found.map((passage, index) => createOption(passage, index, toAddress))
    list.replaceChildren(...state.options)
    list.hidden = state.options.length === 0
    note.hidden = state.options.length > 0
    note.textContent = message
    said.textContent = message || (found.length === 1 ? '1 result' : `${found.length} results`)
    setOpen(true)
    activate(-1)
  }
  const move = (step: 1 | -1) => {
    const count = state.options.length
    activate(state.active < 0 && step < 0 ? count - 1 : (state.active + step + count) % Math.max(count, 1))
  }
  return { state, setOpen, move, show }
}

function createOption(
  { path, id, title, heading, excerpt }: GuidePassage,
  index: number,
  toAddress: SearchTarget['toAddress'],
): HTMLAnchorElement {
  const option = document.createElement('a')
  option.href = toAddress(path) + (id && `#${encodeURIComponent(id)}`)
  option.id = `docs-result-${index}`
  option.tabIndex = -1
  option.setAttribute('role', 'option')
  const name = document.createElement('span')
  name.className = 'block font-medium text-base'
  name.textContent = heading === '' ? title : `${title} › ${heading}`
  const words = document.createElement('span')
  words.textContent = excerpt
  option.append(name, words)
  return option
}
