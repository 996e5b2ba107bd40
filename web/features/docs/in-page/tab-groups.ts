import { readStored, storageKeys, writeStored } from '#web/lib/storage.ts'

interface TabGroup {
  /** Selects the tab of that name; a group without it stays as it is. */
  select(name: string): void
  /** The name of the tab that contains the element. */
  findTab(element: Element): string | undefined
}

let countedGroups = 0

/**
 * Turns blocks of tabs into tabs: the framework that is selected in one is selected in all, and on the next page. A link to
 * a heading in a hidden tab opens that tab.
 *
 * @returns what ends following links.
 */
export function setUpTabs(root: HTMLElement): () => void {
  const selectAll = (name: string) => {
    for (const group of groups) group.select(name)
  }
  const groups: readonly TabGroup[] = [...root.querySelectorAll<HTMLElement>('[data-tabs]:not([data-ready])')].map(
    (element) =>
      setUpGroup(element, (name) => {
        writeStored(storageKeys.docsTab, name)
        const before = element.getBoundingClientRect().top
        selectAll(name)
        // Groups above have other heights now: what was pressed stays where it is.
        window.scrollBy({ top: element.getBoundingClientRect().top - before, behavior: 'instant' })
      }),
  )
  const stored = readStored(storageKeys.docsTab)
  if (stored !== null) selectAll(stored)
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(window.location.hash.slice(1)))
    if (!target?.closest('[data-tab][hidden]')) return
    for (const group of groups) group.select(group.findTab(target) ?? '')
    target.scrollIntoView()
  }
  reveal()
  window.addEventListener('hashchange', reveal)
  return () => window.removeEventListener('hashchange', reveal)
}

function setUpGroup(element: HTMLElement, onChoose: (name: string) => void): TabGroup {
  countedGroups += 1
  const panels = [...element.querySelectorAll<HTMLElement>(':scope > [data-tab]')]
  const list = document.createElement('div')
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Variants')
  const tabs = panels.map((panel, index) => {
    const tab = document.createElement('button')
    tab.type = 'button'
    tab.textContent = panel.dataset.tab ?? ''
    tab.id = `tab-${countedGroups}-${index}`
    tab.setAttribute('role', 'tab')
    panel.id ||= `${tab.id}-panel`
    tab.setAttribute('aria-controls', panel.id)
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', tab.id)
    panel.querySelector(':scope > [data-tab-name]')?.remove()
    list.append(tab)
    return tab
  })
  const show = (at: number) => {
    for (const [index, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(index === at))
      tab.tabIndex = index === at ? 0 : -1
      const panel = panels[index]
      if (panel) panel.hidden = index !== at
    }
    const tab = tabs[at]
    // Not scrollIntoView, which would scroll the page as well.
    if (tab) list.scrollLeft = Math.min(tab.offsetLeft, Math.max(list.scrollLeft, endOf(tab) - list.clientWidth))
  }
  const choose = (at: number) => {
    const tab = tabs[(at + tabs.length) % tabs.length]
    tab?.focus({ preventScroll: true })
    onChoose(tab?.textContent ?? '')
  }
  list.addEventListener('click', ({ target }) => {
    const at = tabs.findIndex((tab) => tab.contains(asNode(target)))
    if (at >= 0) choose(at)
  })
  list.addEventListener('keydown', (event) => {
    const at = tabs.findIndex((tab) => tab.contains(asNode(event.target)))
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    choose(next)
  })
  element.prepend(list)
  show(0)
  element.dataset.ready = ''
  return {
    select: (name) => {
      const at = panels.findIndex(({ dataset }) => dataset.tab === name)
      if (at >= 0) show(at)
    },
    findTab: (inner) => panels.find((panel) => panel.contains(inner))?.dataset.tab,
  }
}

const endOf = (tab: HTMLElement) => tab.offsetLeft + tab.offsetWidth

const asNode = (target: EventTarget | null) => (target instanceof Node ? target : null)
