import type { ReplayModule } from '../loader/modules.ts'
import type { Attached, Panel } from '../panel/state.ts'
import { drawOn, listWays, putBack, remove, takePicture } from './attaching.ts'
import { formatBytes } from './format-bytes.ts'
import { viewRecorder } from './recorder.tsx'
import { record } from './recording.ts'

/** The options unfolded under the tools: other ways after a picture has failed, or the microphone. */
function viewChoices(p: Panel) {
  const { t, unfolded, parts } = p
  const { button, checkbox } = parts
  if (unfolded === 'screenshot') {
    return (
      <div class="row card ways">{listWays().map((way) => button('plain', t[way], () => takePicture(p, way)))}</div>
    )
  }
  return (
    unfolded && (
      <div class="row card">
        {checkbox('microphone', t.microphone, p.microphone, (microphone) => p.set({ microphone }))}
        {button('plain', t.start, () => record(p, 'screen'))}
      </div>
    )
  )
}

/** Recorders write files without a duration: seeking to the end makes the player find it. */
function findLength({ currentTarget: player }: { currentTarget: HTMLMediaElement }): void {
  if (player.duration < Number.POSITIVE_INFINITY) return
  player.currentTime = 1e9
  player.ontimeupdate = () => {
    player.ontimeupdate = null
    player.currentTime = 0
  }
}

/** An attached file: preview, upload progress and actions. */
function viewFile(p: Panel, file: Attached) {
  const { t, parts } = p
  const { button, icon, iconButton } = parts
  const { upload, blob, url, name, missing, attachedAt } = file
  const { id, kind } = upload
  const sent = p.progress[id]
  const isPicture = blob.type.startsWith('image/')
  const player = { controls: true, src: url, 'aria-label': name, onLoadedMetadata: findLength }
  return (
    <li class={isPicture ? 'card tile picture' : 'card tile'} key={id}>
      {isPicture ? <img src={url} alt={name} /> : <span class="thumb">{icon(kind)}</span>}
      <span class="grow" title={name}>
        {name}
        <small>
          {new Date(attachedAt).toLocaleTimeString(p.stage.locale, { timeStyle: 'short' })} ·{' '}
          {formatBytes(blob.size, p.stage.locale)}
          {sent !== undefined && sent < blob.size && ` · ${Math.floor((sent / blob.size) * 100)} %`}
        </small>
      </span>
      {isPicture && button('quiet', t.edit, () => drawOn(p, file))}
      {(kind === 'voice' || kind === 'screen') &&
        button('quiet', t.again, () => {
          remove(p, file)
          record(p, kind)
        })}
      {kind === 'replay' &&
        button('quiet', t.replayShow, async () => {
          const replay = await p.stage.load<ReplayModule>('replay')
          const stand = p.box.querySelector<HTMLElement>('.stand')
          if (stand) await replay.preview(stand, blob, { play: t.resume, pause: t.pause, position: t.replay })
        })}
      {iconButton('close', `${t.remove}: ${name}`, () => remove(p, file))}
      {kind === 'voice' && <audio {...player} />}
      {kind === 'screen' && <video {...player} />}
      {kind === 'replay' && <div class="stand" />}
      {missing?.map((part) => (
        <p key={part} class="note">
          {t[`${part}Missing`]}
        </p>
      ))}
    </li>
  )
}

/** Options, a running recording, files, and undo for the file removed last. Always four places. */
export function viewAttached(p: Panel) {
  const { t, running, files, removed, parts } = p
  return [
    viewChoices(p),
    running && viewRecorder(p, running),
    files[0] && <ul class="stack">{files.map((file) => viewFile(p, file))}</ul>,
    removed && (
      <div class="row note">
        {t.removed}
        {parts.button('quiet undo', t.undo, () => putBack(p))}
      </div>
    ),
  ]
}
