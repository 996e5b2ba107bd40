/** Bytes in the unit that people read, as the app writes them: `5 B`, `812 kB`, `3.4 MB`. */
export function formatBytes(bytes: number, locale: string): string {
  const [value, unit] = bytes < 1000 ? [bytes, 'B'] : bytes < 999_500 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB']
  return `${value.toLocaleString(locale, { maximumFractionDigits: value < 10 ? 1 : 0 })} ${unit}`
}
