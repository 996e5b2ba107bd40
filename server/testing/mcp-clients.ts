import {
  Client,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/client'
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js'
import {
  type StreamableHTTPClientTransportOptions as StreamableHTTPClientTransportOptions2025,
  StreamableHTTPClientTransport as Transport2025,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** The official clients of both eras: stateless since 2026-07-28, with a handshake until 2025-11-25. */
export const mcpEras = ['2026-07-28', '2025-11-25'] as const
export type McpEra = (typeof mcpEras)[number]

/** What a tool answered. */
export interface ToolResult {
  readonly isError: boolean
  readonly structured: Record<string, unknown>
  /** Of an error: the problem document. */
  readonly text: string
  readonly pictures: readonly { mimeType: string; data: string }[]
}

export interface McpClient {
  /** The revision that client and server agreed on. */
  readonly revision: string | undefined
  listTools(): Promise<
    { name: string; annotations?: { readOnlyHint?: boolean | undefined } | undefined; outputSchema?: unknown }[]
  >
  call(name: string, input?: Record<string, unknown>): Promise<ToolResult>
  close(): Promise<void>
}

interface RawResult {
  readonly isError?: boolean
  readonly structuredContent?: Record<string, unknown>
  readonly content: readonly { type: string; text?: string; mimeType?: string; data?: string }[]
}

interface TokenSet {
  readonly access_token: string
  readonly refresh_token?: string | undefined
  readonly scope?: string | undefined
}

/** A client that was connected by OAuth, as a program on the person's device. */
export interface OAuthMcpClient extends McpClient {
  readonly tokens: TokenSet
  readonly clientId: string
}

/** Connects to `/mcp` of a server as a program would. @throws whatever the client says of a refusal. */
export async function connectMcp(url: string, token: string, era: McpEra = '2026-07-28'): Promise<McpClient> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const { client, open } = createClient(url, era, { requestInit })
  await open().connect()
  return client
}

/**
 * Connects by OAuth: discovery, registration and PKCE by the official client.
 *
 * @param approve what the person does at the address where they are asked: returns where that leads.
 */
export async function connectByOAuth(
  url: string,
  era: McpEra,
  approve: (authorizationUrl: URL) => Promise<string>,
): Promise<OAuthMcpClient> {
  const kept: {
    asked?: URL
    verifier?: string
    tokens?: TokenSet
    registration?: { client_id: string }
    discovery?: unknown
  } = {}
  const provider = {
    redirectUrl: 'http://127.0.0.1:33418/callback',
    clientMetadata: {
      client_name: 'Test agent',
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.registration,
    saveClientInformation: (registration: { client_id: string }) => {
      kept.registration = registration
    },
    tokens: () => kept.tokens && { token_type: 'Bearer', ...kept.tokens },
    saveTokens: (tokens: TokenSet) => {
      kept.tokens = tokens
    },
    state: () => 'a state',
    discoveryState: () => kept.discovery,
    saveDiscoveryState: (discovery: unknown) => {
      kept.discovery = discovery
    },
    redirectToAuthorization: (asked: URL) => {
      kept.asked = asked
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
  }
  // The eras declare the same interface with other optional members.
  const { client, open } = createClient(url, era, { authProvider: provider as never })
  const first = open()
  const refused = await first.connect().then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!kept.asked) throw new Error('the client did not ask for access', { cause: refused })
  await first.finish(new URL(await approve(kept.asked)).searchParams)
  await open().connect()
  return {
    ...client,
    get tokens() {
      if (!kept.tokens) throw new Error('the client has no tokens')
      return kept.tokens
    },
    clientId: kept.registration?.client_id ?? '',
  }
}

interface Connection {
  connect(): Promise<void>
  /** Exchanges the code of an address that the person was sent back to. */
  finish(answer: URLSearchParams): Promise<void>
}

/** A client, and connections of it: each try needs a new one. */
function createClient(
  url: string,
  era: McpEra,
  options: StreamableHTTPClientTransportOptions & StreamableHTTPClientTransportOptions2025,
): { client: McpClient; open: () => Connection } {
  const address = new URL('/mcp', url)
  const info = { name: 'test', version: '1.0.0' }
  if (era === '2026-07-28') {
    const client = new Client(info, { versionNegotiation: { mode: { pin: era } } })
    return {
      client: {
        get revision() {
          return client.getNegotiatedProtocolVersion()
        },
        listTools: async () => (await client.listTools()).tools,
        call: async (name, input = {}) => toResult(await client.callTool({ name, arguments: input })),
        close: () => client.close(),
      },
      open: () => {
        const transport = new StreamableHTTPClientTransport(address, options)
        return { connect: () => client.connect(transport), finish: (answer) => transport.finishAuth(answer) }
      },
    }
  }
  const client = new Client2025(info)
  let transport = new Transport2025(address, options)
  return {
    client: {
      get revision() {
        return transport.protocolVersion
      },
      listTools: async () => (await client.listTools()).tools,
      call: async (name, input = {}) => toResult(await client.callTool({ name, arguments: input })),
      close: () => client.close(),
    },
    open: () => {
      const own = new Transport2025(address, options)
      transport = own
      return { connect: () => client.connect(own), finish: (answer) => own.finishAuth(answer.get('code') ?? '') }
    },
  }
}

function toResult(raw: unknown): ToolResult {
  // The client has checked it by the protocol's schema.
  const { isError = false, structuredContent = {}, content } = raw as RawResult
  return {
    isError,
    structured: structuredContent,
    text: content.find(({ type }) => type === 'text')?.text ?? '',
    pictures: content.flatMap(({ type, mimeType = '', data = '' }) => (type === 'image' ? [{ mimeType, data }] : [])),
  }
}
