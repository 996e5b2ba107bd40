import { type GuidePassage, searchDocs } from '#contract/docs.ts'
import { withBasePath } from '#web/lib/base-path.ts'
import { areShortcutsOn, isTakenElsewhere } from '#web/lib/shortcuts.ts'
import { createResultList, type ResultList, type SearchParts } from './result-list.ts'

interface SearchTarget {
  /** The address of a guide where the box is. */
  toAddress(path: string): string
  open(address: string): void
}

/** Shorter than between two keys of most people, so that results follow what is typed. */
const typingPauseMs = 80

/**
 * Makes a search box find guides as one types. `/` leads to it.
 *
 * @param box an element of {@link DocsSearch}
 * @returns what ends it.
 */
export function setUpSearch(box: HTMLElement, { toAddress, open }: SearchTarget): () => void {
  const parts = findParts(box)
  if (!parts) return () => {}
  const { input, popup, list } = parts
  const results = createResultList(parts, toAddress)
  const endAsking = askWhileTyping(parts, results)
  const leaveFor = (address: string) => {
    results.close()
    open(address)
  }
  const ending = new AbortController()
  const until = { signal: ending.signal }
  const onFocus = () => {
    if (input.value.trim() !== '') results.open()
  }
  const onKey = (event: KeyboardEvent) => {
    const { key, isComposing } = event
    if (isComposing) return
    const address = results.isOpen() ? results.findAddress() : undefined
    if (key === 'ArrowDown') results.move(1)
    else if (key === 'ArrowUp') results.move(-1)
    else if (key === 'Escape' && results.isOpen()) results.close()
    else if (key === 'Enter' && address !== undefined) leaveFor(address)
    else return
    event.preventDefault()
  }
  const onLeave = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && box.contains(relatedTarget))) results.close()
  }
  const onClick = (event: MouseEvent) => {
    const option = event.target instanceof Element ? event.target.closest('a') : null
    // A new tab or window is the browser's.
    if (!option || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    leaveFor(option.href)
  }
  const onSlash = (event: KeyboardEvent) => {
    if (event.key !== '/' || !areShortcutsOn() || isTakenElsewhere(event)) return
    event.preventDefault()
    input.focus()
    input.select()
  }
  input.addEventListener('focus', onFocus, until)
  input.addEventListener('keydown', onKey, until)
  box.addEventListener('focusout', onLeave, until)
  // The focus stays in the field.
  popup.addEventListener('mousedown', (event) => event.preventDefault(), until)
  list.addEventListener('click', onClick, until)
  document.addEventListener('keydown', onSlash, until)
  return () => {
    endAsking()
    ending.abort()
  }
}

function findParts(box: HTMLElement): SearchParts | undefined {
  const input = box.querySelector('input')
  const list = box.querySelector<HTMLElement>('[role="listbox"]')
  const popup = list?.parentElement
  const note = box.querySelector<HTMLElement>('[data-note]')
  const said = box.querySelector('output')
  return input && list && popup && note && said ? { input, list, popup, note, said } : undefined
}

/** Shows what is found for the words in the field. A later answer is not replaced by an earlier one. @returns what ends it. */
function askWhileTyping({ input, said }: SearchParts, results: ResultList): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking: AbortController | undefined
  const search = async () => {
    asking?.abort()
    asking = new AbortController()
    const { signal } = asking
    const query = input.value.trim()
    if (query === '') {
      said.textContent = ''
      results.close()
      return
    }
    try {
      const address = withBasePath(`${searchDocs.path}?q=${encodeURIComponent(query)}`)
      const reply = await fetch(address, { signal, credentials: 'omit' })
      if (!reply.ok) throw new Error(`The search answered ${reply.status}`)
      // The server answers by the contract.
      const { items } = (await reply.json()) as { items: GuidePassage[] }
      results.show(items, items.length === 0 ? `No results for “${query}”` : '')
    } catch {
      if (!signal.aborted) results.show([], 'Couldn’t search the guides. Try again.')
    }
  }
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(search, typingPauseMs)
  }
  input.addEventListener('input', wait)
  // Typed before this script ran.
  if (document.activeElement === input && input.value.trim() !== '') wait()
  return () => {
    input.removeEventListener('input', wait)
    clearTimeout(timer)
    asking?.abort()
  }
}
