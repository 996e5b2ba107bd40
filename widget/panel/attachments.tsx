import type { JSX } from 'preact'
import { act } from './acting.ts'
import { checkbox } from './controls.tsx'
import { icon } from './icons.tsx'
import type { Panel } from './state.ts'

// Absent on http pages; TypeScript declares it always.
const devices = () => navigator.mediaDevices as Partial<MediaDevices> | undefined

/** The attachment tools that the project enables and the browser supports. */
function viewTools(p: Panel) {
  const { t, unfolded, running } = p
  const { screenshot, file, voice, screen } = p.settings.capture
  const tool = (name: 'screenshot' | 'voice' | 'screen', onClick?: () => void, expanded?: boolean) => (
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
      name,
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
      {voice && devices() && !running && tool('voice', () => act(p, ({ record }) => record(p, 'voice')))}
      {screen && canShare && !running && unfolding('screen')}
      {file && (
        <label class="tool">
          <input
            class="cover"
            type="file"
            multiple
            aria-label={t.file}
            onChange={async ({ currentTarget }) => {
              await act(p, ({ addFiles }) => addFiles(p, [...(currentTarget.files ?? [])]))
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

/** The attachments section: tools, files, and errors. */
export function viewAttachments(p: Panel) {
  const { t, files, settings, actions } = p
  const hasReplay = files.some(({ upload }) => upload.kind === 'replay')
  return (
    <div class="stack" inert={p.phase.kind === 'sending'}>
      {viewTools(p)}
      {/* Holds four places until the actions are loaded, so that later children keep theirs. */}
      {(actions?.viewAttached(p) ?? ['', '', '', '']) as JSX.Element}
      {settings.replay && checkbox('replay', t.replay, hasReplay, () => act(p, ({ toggleReplay }) => toggleReplay(p)))}
      <div class="note" role="status">
        {p.capturing ? t.capturing : p.note}
      </div>
    </div>
  )
}
