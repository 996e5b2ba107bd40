import type { JSX } from 'preact'
import { act, addFiles, preload } from './acting.ts'
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
      // By touch too, before the click.
      onPointerEnter={() => preload(p, name === 'screenshot' ? ['tools', 'capture', 'annotate'] : ['tools', 'media'])}
      onClick={onClick}
      aria-expanded={expanded === undefined ? undefined : `${expanded}`}
    >
      {icon(name)}
      {t[name]}
    </button>
  )
  const unfoldScreen = () => {
    act(p, 'tools', () => {})
    p.set({ unfolded: unfolded === 'screen' ? '' : 'screen', note: '' })
  }
  const canShare = !!devices()?.getDisplayMedia
  return (
    <fieldset class="row tools" aria-label={t.attach}>
      {screenshot &&
        tool('screenshot', () => !p.capturing && act(p, 'tools', ({ takePicture }) => takePicture(p, 'viewport')))}
      {voice && devices() && !running && tool('voice', () => act(p, 'tools', ({ record }) => record(p, 'voice')))}
      {screen && canShare && !running && tool('screen', unfoldScreen, unfolded === 'screen')}
      {file && (
        <label class="tool">
          <input
            class="cover"
            type="file"
            multiple
            aria-label={t.file}
            onChange={({ currentTarget }) => {
              addFiles(p, [...(currentTarget.files ?? [])])
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
  const { t, files, settings, tools } = p
  const hasReplay = files.some(({ upload }) => upload.kind === 'replay')
  return (
    <div class="stack" inert={p.phase.kind === 'sending'}>
      {viewTools(p)}
      {/* Holds four places until the tools are loaded, so that later children keep theirs. */}
      {(tools?.viewAttached(p) ?? ['', '', '', '']) as JSX.Element}
      {settings.replay &&
        checkbox('replay', t.replay, p.ticked ?? hasReplay, async (ticked) => {
          p.ticked = ticked
          await act(p, 'tools', ({ toggleReplay }) => toggleReplay(p))
          p.set({ ticked: undefined })
        })}
      <div class="note" role="status">
        {p.capturing ? t.capturing : p.note}
      </div>
    </div>
  )
}
