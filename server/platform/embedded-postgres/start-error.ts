/** A reason why the product cannot start, worded for the person who started it: one line, no stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
