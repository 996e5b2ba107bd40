/** Longest wait for the browser's storage, in milliseconds. */
const patienceMs = 2000

/**
 * Rejects, without a reason, when the browser does not answer in time: some never do, after a crash of their storage or
 * while another tab blocks it.
 */
export function within<Result>(work: Result | Promise<Result>, ms = patienceMs): Promise<Result> {
  return Promise.race([work, new Promise<never>((_resolve, reject) => setTimeout(reject, ms))])
}
