import type { GuidePassage } from '#contract/docs.ts'

/** The elements of a search box. */
export interface SearchParts {
  readonly input: HTMLInputElement
  readonly popup: HTMLElement
  readonly list: HTMLElement
  /** The line shown instead of results. */
  readonly note: HTMLElement
  /** Read out by screen readers. */
  readonly said: HTMLElement
}

/** The list of results below a search field, as a combobox has it: the focus stays in the field. */
export interface ResultList {
  /** @param message instead of results; empty: there are some. */
  show(found: readonly GuidePassage[], message: string): void
  /** Shows what was found before. */
  open(): void
  close(): void
  isOpen(): boolean
  /** Selects the next result, or the one before. */
  move(step: 1 | -1): void
  /** The address of the selected result, else of the first. */
  findAddress(): string | undefined
}

export function createResultList(
  { input, popup, list, note, said }: SearchParts,
  toAddress: (path: string) => string,
): ResultList {
  let options: HTMLAnchorElement[] = []
  let active = -1

  const activate = (at: number) => {
    active = at
    for (const [index, option] of options.entries()) option.setAttribute('aria-selected', String(index === active))
    const option = options[active]
    option?.scrollIntoView({ block: 'nearest' })
    if (option) input.setAttribute('aria-activedescendant', option.id)
    else input.removeAttribute('aria-activedescendant')
  }
  const setOpen = (isOpen: boolean) => {
    popup.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen && options.length > 0))
    if (!isOpen) activate(-1)
  }

  return {
    show: (found, message) => {
      options = found.map((passage, index) => createOption(passage, index, toAddress))
      list.replaceChildren(...options)
      list.hidden = options.length === 0
      note.hidden = options.length > 0
      note.textContent = message
      said.textContent = message || (found.length === 1 ? '1 result' : `${found.length} results`)
      setOpen(true)
      activate(-1)
    },
    open: () => {
      if (options.length > 0 || note.textContent !== '') setOpen(true)
    },
    close: () => setOpen(false),
    isOpen: () => !popup.hidden,
    move: (step) => {
      const count = options.length
      // Before the first one, the list ends.
      if (count > 0) activate(active < 0 && step < 0 ? count - 1 : (active + step + count) % count)
    },
    findAddress: () => options[Math.max(active, 0)]?.href,
  }
}

function createOption(
  { path, id, title, heading, excerpt }: GuidePassage,
  index: number,
  toAddress: (path: string) => string,
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
