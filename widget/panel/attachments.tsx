import type { ReplayModule } from '../loader/modules.ts'
import { addFiles, drawOn, putBack, remove, takePicture, toggleReplay, type Way } from './attaching.ts'
import { button, checkbox, iconButton } from './controls.tsx'
import { type IconName, icon } from './icons.tsx'
import { viewRecorder } from './recorder.tsx'
import { record } from './recording.ts'
import type { Attached, Panel } from './state.ts'

const devices = () => navigator.mediaDevices as Partial<MediaDevices> | undefined

/** The ways to attach something that the project wants and the browser knows. */
function viewTools(p: Panel) {
  const { t, unfolded, running } = p
  const { screenshot, file, voice, screen } = p.settings.capture
  const tool = (name: IconName & 'voice', onClick?: () => void, expanded?: boolean) => (
    <button
      type="button"
      class="tool"
      onClick={onClick}
      aria-expanded={expanded === undefined ? undefined : `${expanded}`}
    >
      {icon(name)}
      {t[name]}
    </button>
  )
  const unfolding = (name: 'screenshot' | 'screen') =>
    tool(
      name as 'voice',
      () => {
        p.stage.load(name === 'screen' ? 'media' : 'capture').catch(() => {})
        p.set({ unfolded: unfolded === name ? '' : name, note: '' })
      },
      unfolded === name,
    )
  const canShare = !!devices()?.getDisplayMedia
  return (
    <fieldset class="row tools" aria-label={t.attach}>
      {screenshot && unfolding('screenshot')}
      {voice && devices() && !running && tool('voice', () => record(p, 'voice'))}
      {screen && canShare && !running && unfolding('screen')}
      {file && (
        <label class="tool">
          <input
            class="cover"
            type="file"
            multiple
            aria-label={t.file}
            onChange={async ({ currentTarget }) => {
              await addFiles(p, [...(currentTarget.files ?? [])])
              currentTarget.value = ''
            }}
          />
          <span>
            {icon('file')}
            {t.file}
          </span>
        </label>
      )}
    </fieldset>
  )
}

/** What has unfolded under the tools: which part of the page, or with which sound. */
function viewChoices(p: Panel) {
  const { t, unfolded } = p
  const ways: Way[] = ['viewport', 'page', 'element']
  if (devices()?.getDisplayMedia) ways.push('pixels')
  if (unfolded === 'screenshot') {
    return <div class="row card ways">{ways.map((way) => button('plain', t[way], () => takePicture(p, way)))}</div>
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

/** Recorders write files without a length: being sent to the end makes the player find it. */
function findLength({ currentTarget: player }: { currentTarget: HTMLMediaElement }): void {
  if (player.duration < Number.POSITIVE_INFINITY) return
  player.currentTime = 1e9
  player.ontimeupdate = () => {
    player.ontimeupdate = null
    player.currentTime = 0
  }
}

/** An attached file: what it looks or sounds like, how far it is, and what can be done with it. */
function viewFile(p: Panel, file: Attached) {
  const { t } = p
  const { upload, blob, url, name, missing } = file
  const { id, kind } = upload
  const sent = p.progress[id]
  const size = Math.max(0.1, blob.size / 1e6).toLocaleString(p.stage.locale, {
    maximumFractionDigits: 1,
    minimumFractionDigits: 1,
  })
  const isPicture = blob.type.startsWith('image/')
  const player = { controls: true, src: url, 'aria-label': name, onLoadedMetadata: findLength }
  return (
    <li class="card tile" key={id}>
      {isPicture ? <img src={url} alt="" /> : <span class="thumb">{icon(kind)}</span>}
      <span class="grow" title={name}>
        {name}
        <small>
          {size} MB{sent !== undefined && sent < blob.size && ` · ${Math.floor((sent / blob.size) * 100)} %`}
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

/** Everything about attaching: tools, their choices, a recording, the files, and what went wrong. */
export function viewAttachments(p: Panel) {
  const { t, running, files, removed, settings } = p
  const replay = files.find(({ upload }) => upload.kind === 'replay')
  return (
    <div class="stack" inert={p.phase.kind === 'sending'}>
      {viewTools(p)}
      {viewChoices(p)}
      {running && viewRecorder(p, running)}
      {files[0] && <ul class="stack">{files.map((file) => viewFile(p, file))}</ul>}
      {settings.replay && checkbox('replay', t.replay, !!replay, () => toggleReplay(p, replay))}
      <div class="note" role="status">
        {p.capturing ? t.capturing : p.note}
      </div>
      {removed && (
        <div class="row note">
          {t.removed}
          {button('quiet undo', t.undo, () => putBack(p))}
        </div>
      )}
    </div>
  )
}
