import { createCleanUp, fail, stopOnSignals } from './launch/clean-up.ts'
import { keepServer } from './launch/keep-server.ts'
import { readEnvironment } from './launch/read-environment.ts'

/**
 * Starts the product and its services as children of this process (the server, PostgreSQL, while developing the mail
 * catcher), starts again what ends by itself, and prints one summary, or one line if the start fails.
 */
export async function run({ port }: { readonly port?: string | boolean | undefined }): Promise<void> {
  const cleanUp = createCleanUp()
  stopOnSignals(cleanUp, () => process.stdout.write('\nStopping …\n'))
  try {
    if (typeof port === 'string') process.env.PORT = port
    const environment = readEnvironment()
    // Before this process loads anything else: loading the server takes longest, and the rest happens meanwhile.
    const server = keepServer()
    // Where the start fails or a second Ctrl-C asks for haste, nothing waits for it.
    process.once('exit', () => server.kill())
    const { runProduct } = await import('./launch/run-product.ts')
    await runProduct(server, environment, cleanUp)
  } catch (error) {
    await fail(error, cleanUp)
  }
}
