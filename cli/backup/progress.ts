const everyMs = 5_000

/** Prints how far long work is, every five seconds; nothing for work that is done before. */
export function showProgress(
  output: { write(line: string): unknown } | undefined,
): (what: string, bytes: number, expectedBytes?: number) => void {
  let nextAt = performance.now() + everyMs
  return (what, bytes, expectedBytes) => {
    if (performance.now() < nextAt) return
    nextAt = performance.now() + everyMs
    const of = expectedBytes === undefined ? '' : ` of about ${formatBytes(Math.max(expectedBytes, bytes))}`
    output?.write(`${what}: ${formatBytes(bytes)}${of}\n`)
  }
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024 ** 2) return `${Math.ceil(bytes / 1024)} KiB`
  return bytes < 1024 ** 3 ? `${(bytes / 1024 ** 2).toFixed(1)} MiB` : `${(bytes / 1024 ** 3).toFixed(2)} GiB`
}
