import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { listContext } from '../../deploy/image/build-context.ts'
import { root as clone, type Stage, type Step } from '../../deploy/image/read-dockerfile.ts'

/*
 * Runs the steps of the Dockerfile in folders instead of containers, for machines without a container engine. What differs:
 * `debian:bookworm-slim` is a fresh bookworm by debootstrap (minbase), which has manuals and locales besides; `node:…` is the same
 * with the Node of node_modules, whose version is that of the Dockerfile, and the npm of this machine; layers are not
 * compressed; and steps see this machine's network, resolver and certificates.
 */

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const certificates = process.env.NODE_EXTRA_CA_CERTS

/** The reason why this machine can not do so; undefined: it can. */
export function findObstacle(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'this takes root on Linux'
  try {
    execFileSync('sh', ['-c', 'command -v debootstrap unshare setpriv chroot'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'install debootstrap and util-linux: apt-get install debootstrap'
  }
}

/**
 * Builds stages in turn, each in a folder of its own.
 *
 * @param folder where they go, and the fresh Debian, which the next run uses again
 * @param wanted name of the last stage; stages that it does not need are not built, as with BuildKit.
 * @param built stages that were built before; gets the others.
 * @returns the folder of each built stage
 */
export function buildStages(
  stages: readonly Stage[],
  wanted: string,
  folder: string,
  built = new Map<string, string>(),
): Map<string, string> {
  const build = (name: string): string => {
    const known = built.get(name)
    if (known !== undefined) return known
    const stage = stages.find((each) => each.name === name)
    const place = stage === undefined ? makeBase(name, folder) : join(folder, `stage-${name}`)
    if (stage !== undefined) {
      const base = build(stage.base)
      const froms = stage.steps.flatMap((step) => (step.kind === 'copy' && step.from ? [step.from] : []))
      for (const from of froms) build(from)
      copyTree(base, place)
      runSteps(stage, place, built)
    }
    built.set(name, place)
    return place
  }
  build(wanted)
  return built
}

function makeBase(image: string, folder: string): string {
  const debian = join(folder, 'debian')
  if (!existsSync(join(debian, 'etc/debian_version'))) {
    rmSync(debian, { recursive: true, force: true })
    execFileSync('debootstrap', ['--variant=minbase', 'bookworm', debian, readMirror()], { stdio: 'ignore' })
  }
  if (image === 'debian:bookworm-slim') return debian
  if (!/^node:\d+\.\d+\.\d+-bookworm-slim$/.test(image)) throw new Error(`No stand-in for the image ${image}.`)
  const place = join(folder, 'node')
  copyTree(debian, place)
  cpSync(join(clone, 'node_modules/node/bin/node'), join(place, 'usr/local/bin/node'))
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())))
  cpSync(npm, join(place, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(place, 'usr/local/bin/npm'))
  return place
}

/** The mirror of this machine. */
function readMirror(): string {
  const files = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'].filter(existsSync)
  const found = files.map((file) => readFileSync(file, 'utf8').match(/^(?:URIs:|deb)\s+(\S+)/m)?.[1])
  return found.find((each) => each !== undefined) ?? 'http://deb.debian.org/debian'
}

function copyTree(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  execFileSync('cp', ['--archive', '--reflink=auto', from, to])
}

function runSteps(stage: Stage, place: string, built: ReadonlyMap<string, string>): void {
  lendNetwork(place)
  let folder = '/'
  for (const step of stage.steps) {
    if (step.kind === 'workdir') {
      folder = posix.resolve(folder, step.path)
      mkdirSync(join(place, folder), { recursive: true })
    } else if (step.kind === 'run') {
      process.stdout.write(`  ${stage.name}: ${step.command.replaceAll(/\s+/g, ' ').slice(0, 100)}\n`)
      runStep(place, folder, step.command)
    } else copy(step, place, folder, built)
  }
  returnNetwork(place)
}

/** As containers are lent their host's. */
function lendNetwork(place: string): void {
  cpSync('/etc/resolv.conf', join(place, 'etc/resolv.conf'))
  if (certificates === undefined) return
  mkdirSync(join(place, 'run/certificates'), { recursive: true })
  cpSync(certificates, join(place, 'run/certificates/all.crt'), { dereference: true })
}

function returnNetwork(place: string): void {
  rmSync(join(place, 'run/certificates'), { recursive: true, force: true })
}

function runStep(place: string, folder: string, command: string): void {
  const env = {
    PATH: path,
    HOME: '/root',
    DEBIAN_FRONTEND: 'noninteractive',
    ...(certificates !== undefined && { NODE_EXTRA_CA_CERTS: '/run/certificates/all.crt' }),
  }
  const inside = `mount -t proc proc ${place}/proc && mount --rbind /dev ${place}/dev && exec chroot ${place} /bin/sh -c "$1"`
  const args = ['--mount', '--pid', '--fork', 'sh', '-c', inside, 'sh', `cd ${folder} && ${command}`]
  try {
    execFileSync('unshare', args, { env, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 100_000_000 })
  } catch (error) {
    // execFileSync's own error has what the command wrote.
    const { stdout, stderr } = error as { stdout?: Buffer; stderr?: Buffer }
    throw new Error(`A step failed: ${command}\n${stdout}${stderr}`)
  }
}

function copy(
  { from, paths, to }: Extract<Step, { kind: 'copy' }>,
  place: string,
  folder: string,
  built: ReadonlyMap<string, string>,
): void {
  const target = posix.resolve(folder, to)
  if (from === undefined) {
    const wanted = (file: string) => paths.some((each) => each === '.' || each === file || file.startsWith(`${each}/`))
    for (const file of listContext().filter(wanted)) cpSync(join(clone, file), join(place, target, file))
    return
  }
  const source = built.get(from)
  for (const each of paths) {
    const isFolder = to.endsWith('/') || paths.length > 1
    const destination = join(place, target, isFolder ? posix.basename(each) : '')
    mkdirSync(dirname(destination), { recursive: true })
    // Docker copies what a folder contains, into what is there already.
    const options = ['--archive', '--no-target-directory']
    execFileSync('cp', [...options, `${source}${each}`, destination])
  }
}

/** A running container in place of Docker: its processes have numbers of their own, and see only its file system. */
export interface Container {
  readonly child: ChildProcess
  output(): string
  readonly ended: Promise<number | null>
  /** Signals its first process. */
  signal(signal: NodeJS.Signals): void
  /** Lists its processes by their number there, state and command. */
  list(): { pid: number; hostPid: number; state: string; command: string }[]
}

/**
 * Starts a stage as Kubernetes would with `runAsNonRoot`, `readOnlyRootFilesystem`, no capabilities and no new privileges, and
 * without an init process of the engine. /data and /tmp can be written.
 *
 * @param dataDir folder of this machine that is /data
 * @param env settings besides those of the image
 */
export function startContainer(
  stage: Stage,
  place: string,
  dataDir: string,
  env: Readonly<Record<string, string>>,
  command: readonly string[] = [...stage.entrypoint, ...stage.command],
): Container {
  const [uid = '', gid = ''] = stage.user?.split(':') ?? []
  const mounts = [
    `mount --bind ${place} ${place}`,
    `mount -o remount,bind,ro ${place}`,
    `mount --bind ${dataDir} ${place}/data`,
    `mount -t tmpfs -o mode=1777 tmpfs ${place}/tmp`,
    `mount -t proc proc ${place}/proc`,
    `mount --rbind /dev ${place}/dev`,
    `cd ${place}`,
  ]
  // chroot before setpriv: changing the root is itself a privilege.
  const drop = ['setpriv', '--reuid', uid, '--regid', gid, '--clear-groups', '--no-new-privs', '--bounding-set=-all']
  const folder = stage.steps.findLast((step) => step.kind === 'workdir')?.path ?? '/'
  const enter = [...drop, '--inh-caps=-all', 'env', `--chdir=${folder}`].join(' ')
  const inside = `${mounts.join(' && ')} && exec chroot . ${enter} "$@"`
  const args = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', inside, 'sh', ...command]
  const child = spawn('unshare', args, { env: { PATH: path, ...stage.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const list = () => listProcesses(child.pid ?? 0)
  return {
    child,
    output: () => output,
    ended: new Promise((resolve) => child.once('exit', (code) => resolve(code))),
    signal: (signal) => {
      const first = list().find(({ pid }) => pid === 1)
      if (first !== undefined) process.kill(first.hostPid, signal)
    },
    list,
  }
}

/** The processes of the number space that a process of `unshare` has made, as /proc of this machine shows them. */
function listProcesses(unsharePid: number): ReturnType<Container['list']> {
  const lines = execFileSync('ps', ['-eo', 'pid=,stat=,pidns=,args='], { encoding: 'utf8' }).trim().split('\n')
  const first = execFileSync('ps', ['-o', 'pidns=', '--ppid', String(unsharePid)], { encoding: 'utf8' })
    .trim()
    .split('\n')[0]
  return lines.flatMap((line) => {
    const [, hostPid = '', state = '', namespace, command = ''] = line.match(/^\s*(\d+)\s+(\S+)\s+(\S+)\s+(.*)$/) ?? []
    if (namespace !== first?.trim()) return []
    const status = readStatus(Number(hostPid))
    const pid = Number(status?.match(/^NSpid:.*\s(\d+)$/m)?.[1])
    return [{ pid, hostPid: Number(hostPid), state, command }]
  })
}

function readStatus(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    // It has just ended.
    return undefined
  }
}
