/*
 * The part of n8n's interface that the nodes use (https://docs.n8n.io/integrations/creating-nodes). Written here, because
 * n8n's own package brings a hundred others. n8n hands these in at run time.
 */

/** One item of a workflow. */
export interface NodeItem {
  readonly json: unknown
  /** The input item that it was made from. */
  readonly pairedItem?: { readonly item: number }
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly url: string
  readonly body?: unknown
  readonly json: true
}

interface NodeContext {
  getCredentials(name: string): Promise<Record<string, unknown>>
}

/** `this` of a node that runs. */
export interface ExecuteContext extends NodeContext {
  getInputData(): readonly NodeItem[]
  getNodeParameter(name: string, itemIndex: number, fallback?: unknown): unknown
  /** Whether a failed item becomes an output with its error. */
  continueOnFail(): boolean
  readonly helpers: {
    httpRequestWithAuthentication(this: ExecuteContext, credentials: string, request: HttpRequest): Promise<unknown>
  }
}

/** `this` of a trigger that is called. */
export interface WebhookContext extends NodeContext {
  getNodeParameter(name: string, fallback?: unknown): unknown
  getHeaderData(): Readonly<Record<string, unknown>>
  getRequestObject(): { rawBody?: Uint8Array; readRawBody?: () => Promise<void> }
  getResponseObject(): { status(code: number): { send(text: string): { end(): void } } }
}

export interface WebhookResult {
  /** A list for each output. Without it, no workflow starts. */
  readonly workflowData?: readonly (readonly NodeItem[])[]
  /** The node has answered itself. */
  readonly noWebhookResponse?: true
}

interface FieldOption {
  readonly name: string
  readonly value: string
  readonly action?: string
  readonly description?: string
}

/** A field of a form. */
export interface NodeField {
  readonly displayName: string
  readonly name: string
  readonly type: 'string' | 'number' | 'boolean' | 'options' | 'multiOptions' | 'collection'
  readonly default: string | number | boolean | readonly string[] | Readonly<Record<string, never>>
  readonly description?: string
  readonly placeholder?: string
  readonly hint?: string
  readonly required?: true
  readonly noDataExpression?: true
  readonly options?: readonly (FieldOption | NodeField)[]
  readonly typeOptions?: { readonly password?: true; readonly minValue?: number; readonly rows?: number }
  readonly displayOptions?: { readonly show: Readonly<Record<string, readonly (string | boolean)[]>> }
}

export interface CredentialType {
  readonly name: string
  readonly displayName: string
  readonly documentationUrl: string
  readonly properties: readonly NodeField[]
  readonly authenticate?: {
    readonly type: 'generic'
    readonly properties: { readonly headers: Readonly<Record<string, string>> }
  }
  readonly test?: { readonly request: { readonly baseURL: string; readonly url: string } }
}

export interface NodeDescription {
  readonly displayName: string
  readonly name: string
  readonly icon: string
  readonly group: readonly ('transform' | 'trigger')[]
  readonly version: number
  readonly subtitle?: string
  readonly description: string
  readonly defaults: { readonly name: string }
  readonly inputs: readonly 'main'[]
  readonly outputs: readonly 'main'[]
  readonly credentials: readonly { readonly name: string; readonly required: true }[]
  readonly webhooks?: readonly {
    readonly name: 'default'
    readonly httpMethod: 'POST'
    readonly responseMode: 'onReceived'
    readonly path: string
  }[]
  readonly properties: readonly NodeField[]
}
