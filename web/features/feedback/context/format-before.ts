/** How long before the item was sent: `4.2 s`, `3 min`, `2 h`. */
export function formatBefore(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`
  return `${Math.floor(ms / 3_600_000)} h`
}
