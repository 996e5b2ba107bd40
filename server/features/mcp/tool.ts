import type { Static, TObject } from 'typebox'
import type { Actor } from '#server/platform/database/actor.ts'

/** The program behind an MCP request. */
export interface AgentCaller {
  readonly actor: Actor
  readonly organizationId: string
  /** All that it reaches; undefined: every project of the organisation. */
  readonly projectId: string | undefined
  /** Whether it may use the tools that change something. */
  readonly mayWrite: boolean
}

/** A picture of an item. */
export interface ToolPicture {
  readonly mime: string
  /** Base64. */
  readonly data: string
}

export interface ToolAnswer<Output> {
  /** By the tool's output schema. */
  readonly content: Output
  readonly pictures?: readonly ToolPicture[]
}

/** What an agent can call. One is one file of `tools/`. */
interface Tool<Input extends TObject, Output extends TObject> {
  readonly name: string
  readonly title: string
  /** For the model: what it does, when to use it. */
  readonly description: string
  readonly input: Input
  /** Free text is a quotation, everywhere: see quote.ts. */
  readonly output: Output
  /** Whether it changes something. Other tools run in read-only transactions. */
  readonly writes: boolean
  /** Whether what it does reaches another service. */
  readonly reachesOut?: boolean
  readonly run: (caller: AgentCaller, input: Static<Input>) => Promise<ToolAnswer<Static<Output>>>
}

/** A tool whose input and output are known to itself alone. */
export interface AnyTool extends Omit<Tool<TObject, TObject>, 'run'> {
  readonly run: (caller: AgentCaller, input: unknown) => Promise<ToolAnswer<Record<string, unknown>>>
}

/** Keeps the types of a tool's schemas between its `input`, `output` and `run`. */
export function defineTool<const Input extends TObject, const Output extends TObject>(
  tool: Tool<Input, Output>,
): AnyTool {
  // The server validates the input by the schema before it runs the tool, and the output after it.
  return tool as unknown as AnyTool
}
