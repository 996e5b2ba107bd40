import type { IconName } from './state.ts'

const paths: Readonly<Record<IconName, string>> = {
  close: 'M6 6l12 12M18 6 6 18',
  back: 'M15 5l-7 7 7 7',
  check: 'M5 12l5 5 9-10',
  offline: 'M3 3l18 18M7 9a5 5 0 0 0 1 10h9M20 17a4 4 0 0 0-3-7 6 6 0 0 0-6-4',
  alert: 'M12 8v5m0 3v.1M12 3 2 20h20z',
  screenshot: 'M4 8h4l2-3h4l2 3h4v11H4zM12 10a3 3 0 1 0 .1 0',
  voice: 'M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5 11a7 7 0 0 0 14 0M12 18v3',
  screen: 'M3 5h18v12H3zM8 21h8M12 9v4M10 11h4',
  file: 'M20 11l-8 8a5 5 0 0 1-7-7l8-8a3 3 0 0 1 5 5l-8 8a1 1 0 0 1-2-2l7-7',
  replay: 'M4 12a8 8 0 1 0 3-6M4 4v4h4M12 8v4l3 2',
  star: 'M12 3l2.8 5.7 6.2.9-4.5 4.4 1 6.2-5.5-2.9-5.5 2.9 1-6.2L3 9.6l6.2-.9z',
}

const draw = (path: string, size: number) => (
  <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
    <path d={path} />
  </svg>
)

export const icon = (name: IconName, size = 20) => draw(paths[name], size)

/** Mouths from very bad to very good. */
const mouths = ['M8 17q4-5 8 0', 'M8 16q4-3 8 0', 'M8 15h8', 'M8 14q4 3 8 0', 'M8 14q4 5 8 0']

export const face = (rating: number) => draw(`M12 2a10 10 0 1 0 .1 0M9 9v1M15 9v1${mouths[rating - 1]}`, 32)
