/**
 * A stopwatch that can be halted.
 * @returns the milliseconds that it has run; given true or false, it runs or halts from then on
 */
export type Clock = (run?: boolean) => number

export function createClock(): Clock {
  let counted = 0
  let readAt = 0
  let running = false
  return (run = running) => {
    const time = performance.now()
    if (running) counted += time - readAt
    readAt = time
    running = run
    return counted
  }
}
