import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

export interface SecurityHeaderOptions {
  readonly appUrl: string
  /** Origins beyond our own that pages may call: an external auth server, error reports. */
  readonly connectOrigins: readonly string[]
  /** Origins beyond our own whose scripts run in our pages, and whose pages are shown in frames of ours. */
  readonly scriptOrigins?: readonly string[]
  readonly frameOrigins?: readonly string[]
}

/**
 * Headers for every answer. Scripts of our own pages run by nonce only (`reply.cspNonce.script`); nothing may frame
 * us, and nothing is loaded from elsewhere but what the operator turned on.
 */
export async function registerSecurityHeaders(app: FastifyInstance, options: SecurityHeaderOptions): Promise<void> {
  const { appUrl, connectOrigins, scriptOrigins = [], frameOrigins = [] } = options
  const secure = appUrl.startsWith('https:')
  await app.register(helmet, {
    enableCSPNonces: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'", ...scriptOrigins],
        'style-src': ["'self'"],
        // Positions that components compute at run time are style attributes; they can't carry a nonce.
        'style-src-attr': ["'unsafe-inline'"],
        'img-src': ["'self'", 'data:', 'blob:'],
        'font-src': ["'self'", 'data:'],
        'connect-src': ["'self'", ...connectOrigins],
        ...(frameOrigins.length > 0 && { 'frame-src': [...frameOrigins] }),
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
