import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

export interface SecurityHeaderOptions {
  readonly appUrl: string
  /** Beyond our own origin, what pages may call: an external auth server, error reports. */
  readonly connectSources: readonly string[]
  /** Whence they may load scripts and pictures. */
  readonly scriptSources: readonly string[]
  readonly imageSources: readonly string[]
  /** Whose pages they may show in frames. */
  readonly frameSources: readonly string[]
}

/**
 * Headers for every answer. Scripts of our own pages run by nonce only (`reply.cspNonce.script`); nothing may frame
 * us, and nothing is loaded from elsewhere but the services that the operator configured.
 */
export async function registerSecurityHeaders(app: FastifyInstance, options: SecurityHeaderOptions): Promise<void> {
  const secure = options.appUrl.startsWith('https:')
  const { frameSources } = options
  await app.register(helmet, {
    enableCSPNonces: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'", ...options.scriptSources],
        'style-src': ["'self'"],
        // Positions that components compute at run time are style attributes; they can't carry a nonce.
        'style-src-attr': ["'unsafe-inline'"],
        'img-src': ["'self'", 'data:', 'blob:', ...options.imageSources],
        'font-src': ["'self'", 'data:'],
        'connect-src': ["'self'", ...options.connectSources],
        ...(frameSources.length > 0 && { 'frame-src': [...frameSources] }),
        'media-src': ["'self'", 'blob:'],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        ...(secure && { 'upgrade-insecure-requests': [] }),
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' },
  })
}
