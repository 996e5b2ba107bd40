/** Longest uninterrupted work in milliseconds: less than a frame. */
const stretchMs = 10

let turnStartedAt = 0

/** Whether the present work should pause. Cheap: called for every element. */
export const isLate = (): boolean => performance.now() - turnStartedAt > stretchMs

/** Lets the page paint and answer its visitor. Not by setTimeout, which browsers slow down to 4 ms and more. */
export const pause = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      turnStartedAt = performance.now()
      resolve()
    }
    port2.postMessage(0)
  })
