import type { Plugin } from 'vite'

/*
 * Which files a page asks for at once when it loads code late. Vite names all that the code imports, in every file that may
 * load it; these names are a part of each first load.
 */

/** Loaded by every screen of the dashboard with its frame, before anything can be loaded late. */
const ofEveryScreen = /\/(rolldown-runtime|shared-(all|session|frame|sign-in-screens|screens|numbers|home-numbers))-/
/** Shown to few, and not at once: they ask for their imports one after the other. */
const seldom =
  /\/(impersonated-clients|impersonation-banner|read-only-banner|suspended-tools|request-id|consent-banner|plan-banner)-/

/** @param file the code that is loaded late. @param imports files that it imports. */
export function choosePreloaded(file: string, imports: string[]): string[] {
  return seldom.test(`/${file}`) ? [] : imports.filter((each) => !ofEveryScreen.test(`/${each}`))
}

const list = /const __vite__mapDeps=\(i,m=__vite__mapDeps,d=\(m\.f\|\|\(m\.f=\[(.*?)\]\)\)\)=>i\.map\(i=>d\[i\]\);\n?/
const stylesOfEveryPage = /\/shared-all-[^"]*\.css"$/

/**
 * Leaves out the styles that every page has loaded: Vite asks only of code whether it is preloaded.
 *
 * @throws Error when no file names them as it did when this was written.
 */
export function leaveLoadedStylesOut(): Plugin {
  return {
    name: 'leave-loaded-styles-out',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle: {
      order: 'post',
      handler: (_options, bundle) => {
        let isFound = false
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk') continue
          const code = withoutLoadedStyles(file.code)
          isFound ||= code !== file.code
          file.code = code
        }
        if (!isFound) throw new Error('No file of the build names the styles of every page.')
      },
    },
  }
}

function withoutLoadedStyles(code: string): string {
  const [declaration, text] = list.exec(code) ?? []
  if (declaration === undefined || text === undefined) return code
  const names = text.split(',')
  const at = names.findIndex((name) => stylesOfEveryPage.test(name))
  if (at < 0) return code
  const kept = names.filter((_, index) => index !== at)
  const short = code.replace(/__vite__mapDeps\(\[([\d,]*)\]\)/g, (_whole, used: string) => {
    const indices = used.split(',').map(Number)
    const others = indices.filter((index) => index !== at).map((index) => (index > at ? index - 1 : index))
    return others.length > 0 ? `__vite__mapDeps([${others.join()}])` : '[]'
  })
  return short.replace(list, kept.length > 0 ? declaration.replace(text, kept.join()) : '')
}
