/** Ends of an axis and the lines between: about `count` steps of 1, 2 or 5 times a power of ten, and whole ones if asked. */
export function chooseTicks(min: number, max: number, { count = 4, whole = false } = {}): number[] {
  const span = max - min || 1
  const raw = span / count
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= raw) ?? raw
  const size = whole ? Math.max(1, Math.ceil(step)) : step
  const first = Math.floor(min / size)
  const last = Math.max(first + 1, Math.ceil(max / size - 1e-9))
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * size).toPrecision(12)))
}

/** Durations: minutes, hours and days at which one would look at a clock. Seconds. */
export function chooseDurationTicks(max: number): number[] {
  const units = [
    60, 300, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400, 172_800, 432_000, 864_000, 1_728_000, 4_320_000, 8_640_000,
  ]
  const step = units.find((unit) => max / unit <= 5) ?? max / 4
  return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, index) => index * step)
}
