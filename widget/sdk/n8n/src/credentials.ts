import type { CredentialType, NodeField } from './n8n.ts'

/* n8n makes an object of each class, whose name is that of its file. */

const documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-earshot'

const secret = (name: string, displayName: string, description: string): NodeField => ({
  displayName,
  name,
  type: 'string',
  typeOptions: { password: true },
  default: '',
  required: true,
  description,
})

export class EarshotApi implements CredentialType {
  readonly name = 'earshotApi'
  readonly displayName = 'Earshot API'
  readonly documentationUrl = documentationUrl
  readonly properties: readonly NodeField[] = [
    {
      displayName: 'Address',
      name: 'baseUrl',
      type: 'string',
      default: '',
      placeholder: 'https://feedback.example.com',
      required: true,
      description: 'Of your Earshot, without a path',
    },
    secret('apiKey', 'API Key', 'From the tab “API keys” of a project'),
  ]
  readonly authenticate = {
    type: 'generic',
    properties: { headers: { authorization: '=Bearer {{$credentials.apiKey}}' } },
  } as const
  readonly test = {
    request: { baseURL: '={{$credentials.baseUrl.replace(new RegExp("/+$"), "")}}', url: '/api/v1/project' },
  }
}

export class EarshotSigningApi implements CredentialType {
  readonly name = 'earshotSigningApi'
  readonly displayName = 'Earshot signing secret'
  readonly documentationUrl = documentationUrl
  readonly properties: readonly NodeField[] = [
    secret('secret', 'Signing Secret', 'Begins with whsec_. Earshot shows it when the webhook is connected.'),
  ]
}
