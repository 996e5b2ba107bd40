/*
 * Prepares a fresh clone for TypeScript. Plain JavaScript for an old Node (18), without dependencies: installs the
 * packages if the lock file changed, then continues under their Node.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The oldest Node that runs the product's TypeScript directly. */
const oldestNodeMajor = 24
const oldestBootstrapMajor = 18

const stampFile = join(root, 'node_modules', '.earshot-lock')
const pinnedNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/**
 * Installs missing packages and runs a TypeScript file, with the arguments of this process.
 *
 * @param {string} script its path, e.g. `scripts/test.ts`
 */
export async function run(script) {
  const major = Number(process.versions.node.split('.')[0])
  if (major < oldestBootstrapMajor) {
    fail(`Earshot needs Node.js ${oldestBootstrapMajor} or newer to set itself up; this is ${process.version}.`)
  }
  stopWithNpm()
  await install()
  const path = join(root, script)
  if (major >= oldestNodeMajor) {
    // Under npm this is the pinned Node already: one process less, and the start is faster.
    process.argv[1] = path
    // Caches compiled code: saves a third of the start time.
    module.enableCompileCache(join(root, 'node_modules', '.cache', 'compiled'))
    await import(pathToFileURL(path).href)
    return
  }
  if (!existsSync(pinnedNode)) {
    fail(
      'The Node.js that Earshot runs on is missing from node_modules. Allow install scripts (npm config ignore-scripts ' +
        'must not be true), remove node_modules and try again.',
    )
  }
  const child = spawn(pinnedNode, [path, ...process.argv.slice(2)], { stdio: 'inherit' })
  const signals = process.platform === 'win32' ? ['SIGINT'] : ['SIGINT', 'SIGTERM', 'SIGHUP']
  // The child decides when to end; this process only forwards signals and waits.
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`Could not start ${pinnedNode}: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}

/**
 * npm runs its scripts in a shell. `kill` of npm ends that shell, which passes no signal on; without this the product would
 * live on and keep its port. An orphan of npm stops as if its terminal had been closed.
 */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGHUP')
  }, 200)
  timer.unref()
}

/** Runs `npm install` unless the packages of this lock file are installed. */
async function install() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8').trim() === lock) return
  if (isInstalled()) {
    writeFileSync(stampFile, `${lock}\n`)
    return
  }
  process.stdout.write('Installing packages (only when the lock file changed) …\n')
  // `npm ci` refuses a lock file written where some optional binaries were not offered; `npm install --no-save` reads
  // the same lock file and does not change it. `--include=dev`: NODE_ENV=production would leave out Node and the build
  // tools.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--include=dev', '--loglevel=error']
  const code = await runNpm(args)
  if (code !== 0) fail('Couldn’t install the packages; see the lines above.')
  writeFileSync(stampFile, `${lock}\n`)
}

/** Whether npm itself recorded every package of the lock file, after a manual `npm install`. */
function isInstalled() {
  try {
    const read = (/** @type {string[]} */ ...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8')).packages
    const installed = read('node_modules', '.package-lock.json')
    return Object.entries(read('package-lock.json')).every(
      ([path, { version, optional }]) =>
        path === '' || installed[path]?.version === version || (optional && installed[path] === undefined),
    )
  } catch {
    return false
  }
}

/** @param {string[]} args @returns {Promise<number>} */
function runNpm(args) {
  const npmScript = process.env.npm_execpath
  const viaNode = npmScript !== undefined && /\.c?js$/.test(npmScript) && /npm/.test(npmScript)
  const child = viaNode
    ? spawn(process.execPath, [npmScript, ...args], { cwd: root, stdio: 'inherit' })
    : spawn('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  return new Promise((resolve) => {
    child.on('error', (error) => fail(`Could not run npm: ${error.message}`))
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

/** @param {string} message @returns {never} */
function fail(message) {
  process.stderr.write(`earshot: ${message}\n`)
  process.exit(1)
}
