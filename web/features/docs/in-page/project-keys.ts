import { readStored, storageKeys, writeStored } from '#web/lib/storage.ts'

export interface KeyedProject {
  readonly id: string
  readonly name: string
  /** Public: it is part of the snippet's address. */
  readonly widgetKey: string
}

/** Shows the key of one of the reader's projects in the code, and lets them select another project. */
export function showProjectKeys(root: HTMLElement, projects: readonly KeyedProject[]): void {
  const places = [...root.querySelectorAll<HTMLElement>('[data-key]')]
  const [firstPlace] = places
  const stored = readStored(storageKeys.docsProject)
  const selected = projects.find(({ id }) => id === stored) ?? projects[0]
  if (!firstPlace || !selected || root.querySelector('[data-key-choice]')) return
  const show = ({ widgetKey }: KeyedProject) => {
    for (const place of places) place.textContent = widgetKey
  }
  show(selected)
  const select = document.createElement('select')
  select.append(...projects.map(({ id, name }) => new Option(name, id, false, id === selected.id)))
  select.addEventListener('change', () => {
    const project = projects.find(({ id }) => id === select.value)
    if (!project) return
    show(project)
    writeStored(storageKeys.docsProject, project.id)
  })
  const label = document.createElement('label')
  label.className = 'docs-key'
  label.dataset.keyChoice = ''
  label.append('Code for your project', select)
  const block = firstPlace.closest('[data-tabs]') ?? firstPlace.closest('[data-code]') ?? firstPlace
  block.before(label)
}
