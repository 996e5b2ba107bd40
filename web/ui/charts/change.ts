/** How a number compares with the one before. */
export interface Change {
  /** `+12 %`, `−0.3`, `no change`. */
  readonly text: string
  readonly direction: 'up' | 'down' | 'same'
}
