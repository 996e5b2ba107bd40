/** The file of an export would be longer than its organisation may keep. */
export class ExportTooLargeError extends Error {
  constructor() {
    super('the export is longer than its limit')
    this.name = 'ExportTooLargeError'
  }
}
