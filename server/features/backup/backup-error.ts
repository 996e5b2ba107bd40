/** A reason why no backup was made, or none was restored, worded for the operator: one line that says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
