import { createPlayer } from './player.ts'

/** Names of the controls, in the visitor's language. */
export interface ReplayLabels {
  readonly play: string
  readonly pause: string
  readonly position: string
}

/** Shows a replay to the visitor who recorded it, with a button and a slider. Replaces the element's content. */
export async function showReplay(container: HTMLElement, events: Blob, labels: ReplayLabels): Promise<void> {
  const box = document.createElement('div')
  const bar = document.createElement('div')
  const button = document.createElement('button')
  const slider = document.createElement('input')
  box.style.cssText = 'border:1px solid #8886;border-radius:8px;overflow:hidden'
  bar.style.cssText = 'display:flex;gap:8px;align-items:center;margin-block-start:8px'
  slider.style.cssText = 'flex:1;min-width:0;height:40px;margin:0;accent-color:var(--fill,#4f46e5)'
  button.type = 'button'
  button.className = 'quiet'
  slider.type = 'range'
  slider.step = 'any'
  slider.value = '0'
  slider.ariaLabel = labels.position
  bar.append(button, slider)
  container.replaceChildren(box, bar)
  const player = await createPlayer(box, events, {
    external: true,
    onChange({ isPlaying, positionMs }) {
      button.textContent = isPlaying ? labels.pause : labels.play
      slider.value = `${positionMs}`
      // The player was removed from the page.
      if (isPlaying && !box.isConnected) player.destroy()
    },
  }).catch((error) => {
    container.replaceChildren()
    throw error
  })
  slider.max = `${player.durationMs}`
  player.skipIdle = true
  button.textContent = labels.play
  button.onclick = () => (player.isPlaying ? player.pause() : player.play())
  slider.oninput = () => {
    const target = slider.valueAsNumber
    player.pause()
    player.seek(target)
  }
  if (!window.matchMedia('(prefers-reduced-motion: reduce)').matches) player.play()
}
