import { whenIdle } from '../../../lib/when-idle.ts'
import type { DemoItem, DemoWidget } from '../../landing/demo-widget.ts'

/** The real widget on the page: its button once the page is idle, the rest when it is opened. */
export function setUpDemo(): void {
  let widget: Promise<DemoWidget> | undefined
  const start = () => {
    widget ??= import('../../landing/demo-widget.ts').then(({ startDemoWidget }) => startDemoWidget(show))
    const starting = widget
    // The next press tries again.
    starting.catch(() => {
      if (widget === starting) widget = undefined
    })
    return starting
  }
  const prepare = () => void start().catch(() => {})
  for (const button of document.querySelectorAll('[data-demo-open]')) {
    button.addEventListener('pointerenter', prepare)
    button.addEventListener('focus', prepare)
    button.addEventListener('click', () => {
      tellFailure(false)
      start().then(
        ({ open }) => open(),
        () => tellFailure(true),
      )
    })
  }
  whenIdle(prepare)
}

function tellFailure(hasFailed: boolean): void {
  const failure = document.getElementById('demo-failure')
  if (failure) failure.textContent = hasFailed ? 'Couldn’t load the widget. Try again.' : ''
}

/** The item as a team sees it. React comes along only now. */
function show(item: DemoItem): void {
  void import('./show-demo-item.tsx').then(({ showDemoItem }) => showDemoItem(item))
}
