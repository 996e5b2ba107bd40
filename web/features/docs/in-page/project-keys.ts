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
  select.className =
    'h-8 min-w-0 max-w-64 rounded-md border border-border-strong bg-surface px-2 text-base text-foreground pointer-coarse:h-10 pointer-coarse:text-lg'
  select.append(...projects.map(({ id, name }) => new Option(name, id, false, id === selected.id)))
  select.addEventListener('change', () => {
    const project = projects.find(({ id }) => id === select.value)
    if (!project) return
    show(project)
    writeStored(storageKeys.docsProject, project.id)
  })
  const label = document.createElement('label')
  label.className = 'flex flex-wrap items-center gap-2 text-base text-muted'
  label.dataset.keyChoice = ''
  label.append('Code for your project', select)
  const block = firstPlace.closest('[data-tabs]') ?? firstPlace.closest('[data-code]') ?? firstPlace
  block.before(label)
}
