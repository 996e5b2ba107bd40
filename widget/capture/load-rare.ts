/** The stage for what few pages need; undefined until loaded, and where it could not be. */
export let rare: typeof import('./rare.ts') | undefined

/** Without it, the picture has what the browser draws by itself. By a variable, so that it stays a file of its own. */
export const loadRare = async (path = './rare.js'): Promise<typeof rare> => {
  rare = await import(path).catch(() => undefined)
  return rare
}
