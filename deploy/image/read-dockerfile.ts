import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Copy, DockerfileParser, type From, type Instruction, type JSONInstruction } from 'dockerfile-ast'

/** What changes the file system, in order. */
export type Step =
  | { readonly kind: 'run'; readonly command: string }
  /** `from`: a stage; undefined: the sources. */
  | { readonly kind: 'copy'; readonly from: string | undefined; readonly paths: readonly string[]; readonly to: string }
  | { readonly kind: 'workdir'; readonly path: string }

export interface Stage {
  readonly name: string
  /** A stage, or an image such as `debian:bookworm-slim`. */
  readonly base: string
  readonly steps: readonly Step[]
  readonly env: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  /** As it is written, e.g. `10001:10001`. */
  readonly user: string | undefined
  readonly healthcheck: readonly string[] | undefined
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly stopSignal: string | undefined
  readonly ports: readonly number[]
}

export const root = join(import.meta.dirname, '..', '..')
export const dockerfile = join(root, 'deploy', 'Dockerfile')

/** Instructions that this reads; another one must be added here before the Dockerfile has it. */
const known = new Set([
  ...['ARG', 'FROM', 'RUN', 'COPY', 'WORKDIR', 'ENV', 'LABEL', 'USER', 'EXPOSE'],
  ...['HEALTHCHECK', 'ENTRYPOINT', 'CMD', 'STOPSIGNAL'],
])

/**
 * Reads the stages of the Dockerfile.
 *
 * @param args values of its arguments; default: those of the file.
 */
export function readStages(args: Readonly<Record<string, string>> = {}): Stage[] {
  const text = Object.entries(args).reduce(
    (changed, [name, value]) => changed.replace(new RegExp(`^ARG ${name}=.*$`, 'm'), `ARG ${name}=${value}`),
    readFileSync(dockerfile, 'utf8'),
  )
  const stages: Instruction[][] = []
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    if (!known.has(instruction.getKeyword())) throw new Error(`${instruction.getKeyword()} is not read yet.`)
    if (instruction.getKeyword() === 'FROM') stages.push([])
    stages.at(-1)?.push(instruction)
  }
  return stages.map(readStage)
}

function readStage(instructions: readonly Instruction[]): Stage {
  const all = (keyword: string) => instructions.filter((each) => each.getKeyword() === keyword)
  const last = (keyword: string) => all(keyword).at(-1)
  // The parser makes this class for this keyword.
  const from = last('FROM') as From
  return {
    name: from.getBuildStage() ?? '',
    base: from.getExpandedArguments()[0]?.getValue() ?? '',
    steps: instructions.flatMap(readStep),
    env: readPairs(all('ENV')),
    labels: readPairs(all('LABEL')),
    user: last('USER')?.getArgumentsContent() ?? undefined,
    healthcheck: readHealthcheck(last('HEALTHCHECK')),
    entrypoint: readList(last('ENTRYPOINT')),
    command: readList(last('CMD')),
    stopSignal: last('STOPSIGNAL')?.getArgumentsContent() ?? undefined,
    ports: all('EXPOSE').map((each) => Number(each.getArgumentsContent())),
  }
}

function readStep(instruction: Instruction): Step[] {
  const content = instruction.getArgumentsContent() ?? ''
  switch (instruction.getKeyword()) {
    case 'RUN':
      return [{ kind: 'run', command: content }]
    case 'WORKDIR':
      return [{ kind: 'workdir', path: content }]
    case 'COPY': {
      const values = instruction.getArguments().map((argument) => argument.getValue())
      const to = values.pop() ?? ''
      // The parser makes this class for this keyword.
      const from = (instruction as Copy).getFlags().find((flag) => flag.getName() === 'from')
      return [{ kind: 'copy', from: from?.getValue() ?? undefined, paths: values, to }]
    }
    default:
      return []
  }
}

/** `NAME=value NAME="a value"`. */
function readPairs(instructions: readonly Instruction[]): Record<string, string> {
  const text = instructions.map((each) => each.getArgumentsContent()).join(' ')
  return Object.fromEntries(
    [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, bare]) => [name, quoted ?? bare]),
  )
}

function readList(instruction: Instruction | undefined): string[] {
  // The parser makes this class for ENTRYPOINT and CMD.
  const strings = (instruction as JSONInstruction | undefined)?.getJSONStrings() ?? []
  // Each is a string of JSON.
  return strings.map((each) => JSON.parse(each.getValue()) as string)
}

function readHealthcheck(instruction: Instruction | undefined): string[] | undefined {
  const list = instruction?.getArgumentsContent()?.match(/CMD\s+(\[.*\])$/s)?.[1]
  // An array of strings, in the exec form of Docker.
  return list === undefined ? undefined : (JSON.parse(list) as string[])
}
