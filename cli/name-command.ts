/** A clone runs its TypeScript; the npm package brings JavaScript. */
export const isPackage = !import.meta.filename.endsWith('.ts')

/**
 * A command as a person types it here.
 *
 * @param options e.g. `--reset`
 */
export function nameCommand(name: string, options = ''): string {
  if (isPackage) return ['npx earshot', name, options].filter(Boolean).join(' ')
  const script = name === 'start' ? 'npm start' : `npm run ${name}`
  return options ? `${script} -- ${options}` : script
}
