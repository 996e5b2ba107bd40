const paths = {
  close: 'M6 6l12 12M18 6 6 18',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  offline: 'M3 3l18 18M7 9.2A5 5 0 0 0 8 19h9m3.6-1.4A4.2 4.2 0 0 0 17.5 10h-.6A6 6 0 0 0 11 6.1',
  alert: 'M12 8v5m0 3.5v.01M12 3 2.5 20h19L12 3Z',
} as const

export function Icon({ name, size = 20 }: { name: keyof typeof paths; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" class="icon">
      <path d={paths[name]} />
    </svg>
  )
}

/** Mouths from very bad to very good. */
const mouths = ['M8 17q4-5 8 0', 'M8.5 16q3.5-2.5 7 0', 'M8.5 15.5h7', 'M8.5 14.5q3.5 2.5 7 0', 'M8 14q4 5.5 8 0']

export function Face({ rating }: { rating: number }) {
  return (
    <svg width="32" height="32" viewBox="0 0 24 24" aria-hidden="true" class="icon face">
      <circle cx="12" cy="12" r="9.5" />
      <path d={`M9 9.5v.5M15 9.5v.5${mouths[rating - 1]}`} />
    </svg>
  )
}
