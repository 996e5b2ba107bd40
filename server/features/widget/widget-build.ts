import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Texts of one language by their names. */
export type Words = Readonly<Record<string, string>>

/** The widget's built files. */
export interface WidgetBuild {
  readonly folder: string
  /** Name of the folder that holds the stages: a hash over all of them. */
  readonly name: string
  /** The loader's code, with {@link settingsPlaceholder} where the settings go. */
  readonly loader: string
  /** Texts by language; English is complete. */
  readonly words: Readonly<Record<string, Words>> & { readonly en: Words }
  /** The page that shows a draft to those who work on it. */
  readonly previewPage: string
  /** The page on which a widget is tried and measured. */
  readonly trialPage: string
}

export const settingsPlaceholder = '"__EARSHOT_SETTINGS__"'

/** @throws when the widget was not built, or not by the build this server belongs to. */
export async function readWidgetBuild(folder: string): Promise<WidgetBuild> {
  // Written by scripts/build-widget.ts.
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
    loader: string
    build: string
  }
  const loader = await readFile(join(folder, manifest.loader), 'utf8')
  if (loader.split(settingsPlaceholder).length !== 2) {
    throw new Error('the built loader does not hold its settings exactly once')
  }
  const words: Record<string, Words> = {}
  const localesFolder = join(folder, manifest.build, 'locales')
  for (const file of await readdir(localesFolder)) {
    // Written by scripts/build-widget.ts.
    words[file.replace(/\.json$/, '')] = JSON.parse(await readFile(join(localesFolder, file), 'utf8')) as Words
  }
  const { en } = words
  if (!en) throw new Error('the built widget has no English texts')
  const previewPage = await readFile(join(folder, manifest.build, 'preview.html'), 'utf8')
  const trialPage = await readFile(join(folder, manifest.build, 'trial.html'), 'utf8')
  return { folder, name: manifest.build, loader, words: { ...words, en }, previewPage, trialPage }
}
