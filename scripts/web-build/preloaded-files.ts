/*
 * Which files a page asks for at once when it loads code late. Vite names all that the code imports, in every file that may
 * load it; these names are a part of each first load.
 */

/** Loaded by every screen of the dashboard with its frame, before anything can be loaded late. */
const ofEveryScreen =
  /\/(rolldown-runtime|shared-(landing|conversation|frame|sign-in-screens|screens|numbers|home-numbers))-/
/** Shown to few, and not at once: they ask for their imports one after the other. */
const seldom =
  /\/(impersonated-clients|impersonation-banner|read-only-banner|suspended-tools|request-id|consent-banner|plan-banner)-/

/** @param file the code that is loaded late. @param imports files that it imports. */
export function choosePreloaded(file: string, imports: string[]): string[] {
  return seldom.test(`/${file}`) ? [] : imports.filter((each) => !ofEveryScreen.test(`/${each}`))
}
