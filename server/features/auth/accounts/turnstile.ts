/** Runs at most `width` tasks at a time; the others wait in order of arrival. */
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
      // The slot passes directly to the next task, so that a new one can't take it.
      if (next) next()
      else running -= 1
    }
  }
}
