/** A reason why no backup was made, or none was restored, worded for the operator: one line that says what to do. */
export class BackupError extends Error {
  override readonly name: string = 'BackupError'
}

/** Another backup of the instance is running: this one isn't needed. */
export class BackupBusyError extends BackupError {
  override readonly name = 'BackupBusyError'
}
