import { maxAttachmentBytes } from '#contract/files.ts'
import { announceBody } from '#server/platform/outbound/announce-body.ts'
import { type Check, failed, notApplicable, ok, warning } from '../check.ts'

export const proxyChecks: readonly Check[] = [
  {
    id: 'proxy-headers',
    area: 'Address',
    title: 'Headers of the proxy',
    remedy:
      'Set TRUST_PROXY to the address of the proxy, and let the proxy send X-Forwarded-For and X-Forwarded-Proto. See the guide “Reverse proxies”.',
    run: ({ config, seen }) => {
      if (!seen) return notApplicable('Only the server sees the headers of a proxy.')
      const { forwardedFor, remoteAddress, ip, protocol } = seen
      if (forwardedFor === null) {
        if (config.trustProxy.length === 0) return ok('No proxy is in front of Earshot.')
        return warning('TRUST_PROXY is set, but this request came without X-Forwarded-For.')
      }
      if (ip === remoteAddress) {
        return failed(
          `A proxy at ${remoteAddress} is not in TRUST_PROXY: all visitors seem to have its address, and share its limits.`,
        )
      }
      const wanted = new URL(config.appUrl).protocol.slice(0, -1)
      if (protocol !== wanted) {
        return warning(`The proxy says that you use ${protocol}, and APP_URL says ${wanted}.`)
      }
      return ok(`The proxy at ${remoteAddress} is trusted.`)
    },
  },
  {
    id: 'trust-proxy',
    area: 'Security',
    title: 'Trusted proxies',
    remedy: 'Set TRUST_PROXY to the addresses of your proxies alone.',
    run: ({ config: { trustProxy } }) => {
      const wide = trustProxy.find((cidr) => /\/[0-7]$/.test(cidr))
      if (wide === undefined) return ok(trustProxy.length === 0 ? 'No proxy is trusted.' : 'Few addresses are trusted.')
      return failed(`TRUST_PROXY contains ${wide}: anyone can claim another address, and so evade limits.`)
    },
  },
  {
    id: 'upload-size',
    area: 'Address',
    title: 'Upload limit of the proxy',
    remedy: 'Raise the limit of the proxy to 260 MB, e.g. `client_max_body_size 260m` in nginx.',
    run: async ({ config: { appUrl } }) => {
      const answer = await announceBody(`${appUrl}/e/doctor/uploads/doctor`, maxAttachmentBytes.screen)
      if (answer === undefined) return notApplicable('APP_URL does not answer from this machine.')
      if (answer === 'accepted' || answer.isOwn) return ok('Large files pass the proxy.')
      if (answer.status === 413) return failed('The proxy refuses large files with 413, so recordings get lost.')
      return warning(`The proxy answers large files with ${answer.status}.`)
    },
  },
]
