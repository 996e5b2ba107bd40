import type { ExportFile, ExportItem } from './read-items.ts'

/** Names of files in an archive: a folder per project, in it one per item. */
export interface Folders {
  pathOf(item: Pick<ExportItem, 'projectId' | 'project' | 'number'>, file: Pick<ExportFile, 'name'>): string
}

/** Two projects of one name get folders apart; asked again, each gets the same. */
export function createFolders(): Folders {
  const byProject = new Map<string, string>()
  const taken = new Set<string>()
  return {
    pathOf: ({ projectId, project, number }, file) => {
      let folder = byProject.get(projectId)
      if (folder === undefined) {
        const base = toSafeName(project, 'project')
        folder = base
        for (let n = 2; taken.has(folder.toLowerCase()); n += 1) folder = `${base} (${n})`
        taken.add(folder.toLowerCase())
        byProject.set(projectId, folder)
      }
      return `${folder}/#${number}/${toSafeName(file.name, 'file')}`
    },
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what no name may hold, and what would turn one around
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069/\\:*?"<>|]/g
// Windows opens devices under these names, whatever the ending.
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
const maxLength = 120

/** A name that every file system takes and that leads nowhere else. */
function toSafeName(name: string, fallback: string): string {
  const clean = name
    .toWellFormed()
    .normalize('NFC')
    .replace(unsafe, '_')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '')
  if (clean === '') return fallback
  const safe = reserved.test(clean) ? `_${clean}` : clean
  if (safe.length <= maxLength) return safe
  const ending = /\.[a-z0-9]{1,8}$/i.exec(safe)?.[0] ?? ''
  return safe.slice(0, maxLength - ending.length).toWellFormed() + ending
}
