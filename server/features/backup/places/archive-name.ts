/** The name of an archive, by which they sort in the order of their making. */
export function archiveName(at: Date): string {
  return `earshot-${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z.tar`
}

/** Whether {@link archiveName} made the name. */
export function isArchiveName(name: string): boolean {
  return /^earshot-\d{8}T\d{6}Z\.tar$/.test(name)
}
