/** Lets at most `width` pieces of work run at a time; the others wait, first come, first served. */
export function createTurnstile(width: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The place is handed on, so that nobody slips in between.
      if (next) next()
      else running -= 1
    }
  }
}
