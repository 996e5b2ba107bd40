import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createOutbound, type Outbound, OutboundError, type OutboundRequest } from './outbound.ts'
import type { ResolveOptions } from './resolve-target.ts'
import { canCall } from './url-reach.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** As in production, unless said otherwise. */
function open(options: Partial<ResolveOptions> = {}): Outbound {
  const outbound = createOutbound({ allowedHosts: [], allowLoopback: false, lookup: async () => [], ...options })
  cleanUps.push(() => outbound.close())
  return outbound
}

const openLocal = () => open({ allowLoopback: true })

async function listen(server: Server | ReturnType<typeof createTcpServer>, host = '127.0.0.1', port = 0) {
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  cleanUps.push(() => server.close())
  // The address of a TCP server is no path.
  return (server.address() as AddressInfo).port
}

const receive = (answer: RequestListener, host?: string, port?: number) => listen(createServer(answer), host, port)

/** Sends the same bytes on every connection, whatever it is asked. */
async function sendRaw(onConnection: (socket: Socket) => void) {
  const server = createTcpServer((socket) => {
    cleanUps.push(() => socket.destroy())
    socket.on('error', () => {}).once('data', () => onConnection(socket))
  })
  return listen(server)
}

async function failureOf(outbound: Outbound, request: OutboundRequest) {
  const error = await outbound.request(request).catch((thrown: unknown) => thrown)
  if (!(error instanceof OutboundError)) throw error
  return error.failure
}

describe('refused addresses', () => {
  const loopback = [
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '0x7f.1',
    '017700000001',
    '127.0.0.1.',
    '127.255.255.254',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    'LOCALHOST',
    'ⅼocalhost',
    'localhost.',
    'app.localhost',
  ]
  const ipv4 = [
    ...['0', '0.0.0.0', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
    ...['169.254.169.254', '169.254.0.1', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1', '192.88.99.1'],
    ...['192.168.0.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '225.0.0.1'],
    ...['239.255.255.250', '240.0.0.1', '241.1.1.1', '255.255.255.255', '168.63.129.16'],
  ]
  const ipv6 = [
    ...['::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:a00:1', '::7f00:1', '::ffff:0:7f00:1', '100::1'],
    ...[
      '64:ff9b::7f00:1',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b:1::1',
      '2002:7f00:1::',
      '2001::1',
      '2001:0:7f00:1::',
      '2001:db8::1',
    ],
    ...[
      '2001:2::1',
      '2001:10::1',
      '3fff::1',
      '5f00::1',
      'fc00::1',
      'fd00:ec2::254',
      'fe80::1',
      'febf::1',
      'fec0::1',
      'feff::1',
    ],
    ...['ff02::1', 'ff0e::1', '4000::1', '1fff::1'],
  ]

  it.each([...loopback, ...ipv4, ...ipv6.map((address) => `[${address}]`)])('refuses %s', async (host) => {
    const outbound = open()
    expect(await outbound.checkAddress(`https://${host}/`)).toMatch(/is in a private or reserved network/)
    expect(await failureOf(outbound, { url: `https://${host}/` })).toBe('address_refused')
  })

  it.each([...ipv4.filter((address) => address !== '0'), ...ipv6, 'fe80::1%eth0', 'nonsense'])(
    'refuses a name that resolves to %s, alone or beside public addresses',
    async (address) => {
      const names: Record<string, string[]> = {
        'alone.example': [address],
        'mixed.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', address],
      }
      const outbound = open({ lookup: async (host) => names[host] ?? [] })
      expect(await failureOf(outbound, { url: 'https://alone.example/' })).toBe('address_refused')
      expect(await outbound.checkAddress('https://mixed.example/')).not.toContain(address)
      expect(await failureOf(outbound, { url: 'https://mixed.example/' })).toBe('address_refused')
    },
  )

  it.each([
    ...['93.184.215.14', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.255.255', '172.32.0.0'],
    ...[
      '192.167.255.255',
      '192.169.0.0',
      '198.17.255.255',
      '198.20.0.0',
      '223.255.255.255',
      '126.255.255.255',
      '128.0.0.0',
    ],
    ...['[2606:4700::1111]', '[2a00:1450:4001::1]', '[2001:4860:4860::8888]', '[2001:200::1]', '[3ffe::1]'],
    ...['[::ffff:93.184.215.14]', '[64:ff9b::5db8:d70e]'],
  ])('accepts the public address %s', async (host) => {
    expect(await open().checkAddress(`http://${host}/`)).toBeUndefined()
  })

  it.each([
    ['', 'Enter a full URL'],
    ['example.com/hook', 'Enter a full URL'],
    ['https://', 'Enter a full URL'],
    ['https://exa mple.com', 'Enter a full URL'],
    ['https://[fe80::1%25eth0]/', 'Enter a full URL'],
    ['https://256.256.256.256/', 'Enter a full URL'],
    ['https://example.com:99999/', 'Enter a full URL'],
    ['ftp://example.com/', 'starts with https:// or http://'],
    ['file:///etc/passwd', 'starts with https:// or http://'],
    ['javascript:alert(1)', 'starts with https:// or http://'],
    ['https://user@example.com/', 'Remove the user name'],
    ['https://foo@127.0.0.1/', 'Remove the user name'],
    ['https://:secret@example.com/', 'Remove the user name'],
    ['https://example..com/', 'not a valid host name'],
    ['https://example.com../', 'not a valid host name'],
    [`https://${'a.'.repeat(130)}com/`, 'not a valid host name'],
    ['http:127.0.0.1', 'private or reserved'],
    ['http:///127.0.0.1/', 'private or reserved'],
    ['\t127.0.0.1', 'Enter a full URL'],
    ['\thttp://127.0.0.1', 'private or reserved'],
    ['http://127.0.0.1\\@example.com/', 'private or reserved'],
    ['https://example.com:22/', 'Port 22 is not allowed'],
    ['https://example.com:6379/', 'Port 6379 is not allowed'],
    ['http://localhost:3000/', 'Port 3000 is not allowed'],
  ])('refuses %j', async (url, sentence) => {
    expect(await open().checkAddress(url)).toContain(sentence)
    expect(await failureOf(open(), { url })).toBe('address_refused')
  })

  it('accepts the usual ports of public hosts, and http where https is not required', async () => {
    const lookup = async () => ['93.184.215.14']
    for (const port of [80, 443, 8080, 8443]) {
      expect(await open({ lookup }).checkAddress(`http://example.com:${port}/`)).toBeUndefined()
    }
    const strict = open({ lookup, requireHttps: true })
    expect(await strict.checkAddress('http://example.com/')).toBe('Enter a URL that starts with https://.')
    expect(await strict.checkAddress('https://example.com/')).toBeUndefined()
  })

  it('leaves unknown names and silent name servers to the request, which says what is wrong', async () => {
    const silent = open({ lookup: () => new Promise(() => {}), lookupTimeoutMs: 20 })
    const broken = open({ lookup: () => Promise.reject(new Error('SERVFAIL')) })
    const url = 'https://example.com/'
    for (const outbound of [open(), silent, broken]) expect(await outbound.checkAddress(url)).toBeUndefined()
    expect(await failureOf(open(), { url })).toBe('not_found')
    expect(await failureOf(silent, { url })).toBe('timeout')
    expect(await failureOf(broken, { url })).toBe('unreachable')
  })
})

describe('allowed hosts', () => {
  const addresses: Record<string, string[]> = {
    'gitlab.internal': ['10.1.2.3'],
    'a.corp.example': ['10.1.2.4'],
    'corp.example': ['10.1.2.4'],
    'other.example': ['10.1.2.5', '10.9.9.9'],
    'public.example': ['93.184.215.14'],
  }
  const check = (allowedHosts: string[], url: string) =>
    open({ allowedHosts, requireHttps: true, lookup: async (host) => addresses[host] ?? [] }).checkAddress(url)

  it.each([
    ['gitlab.internal', 'http://gitlab.internal/'],
    ['GitLab.internal', 'http://GITLAB.internal.:8080/'],
    ['gitlab.internal:3000', 'http://gitlab.internal:3000/'],
    ['*.corp.example', 'http://a.corp.example/'],
    ['*.corp.example:9000', 'http://a.corp.example:9000/'],
    ['10.1.2.3', 'http://gitlab.internal/'],
    ['10.1.2.3:3000', 'http://10.1.2.3:3000/'],
    ['10.0.0.0/8', 'http://other.example/'],
    ['10.0.0.0/8:3000', 'http://other.example:3000/'],
    ['10.0.0.0/8', 'http://[::ffff:10.1.2.3]/'],
    ['fd00::/8', 'http://[fd00::5]/'],
    ['[fd00::/8]:3000', 'http://[fd00::5]:3000/'],
    ['[::1]:3000', 'http://[::1]:3000/'],
    ['localhost', 'http://localhost/'],
    ['public.example:9443', 'https://public.example:9443/'],
  ])('with %s, accepts %s', async (entry, url) => {
    addresses.localhost = ['127.0.0.1']
    expect(await check(['8.8.8.8', entry], url)).toBeUndefined()
  })

  it.each([
    ['gitlab.internal', 'http://gitlab.internal:3000/'],
    ['gitlab.internal:3000', 'https://gitlab.internal/'],
    ['gitlab.internal', 'https://x.gitlab.internal.example/'],
    ['*.corp.example', 'https://corp.example/'],
    ['*.corp.example', 'https://xcorp.example.evil.example:3000/'],
    ['10.1.0.0/16', 'https://other.example/'],
    ['10.1.2.3:3000', 'https://10.1.2.3/'],
    ['10.1.2.3:3000', 'https://public.example:3000/'],
    ['10.0.0.0/8', 'http://public.example/'],
    ['10.0.0.0/8', 'https://[fd00::a]/'],
  ])('with %s, refuses %s', async (entry, url) => {
    addresses['x.gitlab.internal.example'] = ['10.1.2.3']
    expect(await check([entry], url)).toBeDefined()
  })

  it.each(['*', '*.', 'a b', 'http://a', 'a/b', '10.0.0.0/33', 'a:0', 'a:70000', '[fd00::/8', '[::1]:x', 'user@a'])(
    'does not take %j for a host',
    (entry) => {
      expect(() => open({ allowedHosts: [entry] })).toThrow(`\`${entry}\` is not a host`)
    },
  )

  it('allows loopback outside production by its own name and addresses only', async () => {
    const port = await receive((_request, response) => response.end())
    const outbound = open({ allowLoopback: true, lookup: async () => ['127.0.0.1'] })
    for (const host of ['localhost', 'app.localhost', '127.0.0.1', '2130706433', '[::ffff:7f00:1]']) {
      expect(await outbound.request({ url: `http://${host}:${port}/` })).toMatchObject({ status: 200 })
    }
    expect(await failureOf(outbound, { url: 'http://resolves-to-loopback.example/' })).toBe('address_refused')
    expect(await failureOf(outbound, { url: `http://0.0.0.0:${port}/` })).toBe('address_refused')
  })
})

describe('connections', () => {
  it('go to the checked address, whatever the name resolves to later', async () => {
    // 127.0.0.2 stands for a public address: it is allowed, and 127.0.0.1 is not.
    const reached: (string | undefined)[] = []
    const answer: RequestListener = (request, response) => {
      reached.push(request.socket.localAddress)
      response.setHeader('connection', 'close').end(request.headers.host)
    }
    const port = await receive(answer, '127.0.0.2')
    await receive(answer, '127.0.0.1', port)
    const lookup = vi.fn().mockResolvedValue(['127.0.0.1']).mockResolvedValueOnce(['127.0.0.2'])
    const outbound = open({ allowedHosts: [`127.0.0.2:${port}`], lookup })
    const url = `http://rebound.example:${port}`
    expect(String((await outbound.request({ url })).body)).toBe(`rebound.example:${port}`)
    expect(lookup).toHaveBeenCalledTimes(1)
    expect(await failureOf(outbound, { url })).toBe('address_refused')
    expect(reached).toEqual(['127.0.0.2'])
  })

  it('try further addresses when one does not answer', async () => {
    const port = await receive((_request, response) => response.end(), '127.0.0.2')
    const lookup = async () => ['127.0.0.1', '127.0.0.2']
    const outbound = open({ allowedHosts: [`127.0.0.0/8:${port}`], lookup })
    expect(await outbound.request({ url: `http://two.example:${port}` })).toMatchObject({ status: 200 })
  })

  it('are kept for the next request, and use no proxy of the environment', async () => {
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1')
    vi.stubEnv('http_proxy', 'http://127.0.0.1:1')
    const ports = new Set<number | undefined>()
    const port = await receive((request, response) => {
      ports.add(request.socket.remotePort)
      response.end()
    })
    const outbound = openLocal()
    for (let round = 0; round < 20; round++) await outbound.request({ url: `http://127.0.0.1:${port}/` })
    // A request may start before the connection of the last one is free.
    expect(ports.size).toBeLessThanOrEqual(2)
  })

  it('ask a checked address for the certificate of the name', async () => {
    const names: string[] = []
    const server = createTlsServer({
      SNICallback: (name, callback) => {
        names.push(name)
        callback(new Error('no certificate'))
      },
    })
    const port = await listen(server)
    const outbound = open({ allowedHosts: [`127.0.0.1:${port}`], lookup: async () => ['127.0.0.1'] })
    const failure = await failureOf(outbound, { url: `https://named.example:${port}/` })
    expect({ failure, names }).toEqual({ failure: 'unreachable', names: ['named.example'] })
  })

  it('are at most 64 to one host', async () => {
    const ports = new Set<number | undefined>()
    const held: (() => void)[] = []
    const port = await receive((request, response) => {
      ports.add(request.socket.remotePort)
      held.push(() => response.end())
      // All connections are busy before the first one is free.
      if (ports.size >= 64) for (const end of held.splice(0)) end()
    })
    const outbound = openLocal()
    const requests = Array.from({ length: 80 }, () => outbound.request({ url: `http://127.0.0.1:${port}/` }))
    await Promise.all(requests)
    expect(ports.size).toBe(64)
  })
})

describe('requests', () => {
  it('sends method, headers and body, but no header that steers the connection', async () => {
    const port = await receive(async (request, response) => {
      const body = await request.toArray()
      response.setHeader('set-cookie', ['a=1', 'b=2']).writeHead(418)
      response.end(
        JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body: `${body}` }),
      )
    })
    const answer = await openLocal().request({
      url: `http://127.0.0.1:${port}/a%20b?c=d#e`,
      method: 'PUT',
      headers: {
        'X-Own': 'yes',
        Host: 'internal.example',
        'Accept-Encoding': 'gzip',
        Connection: 'close',
        'Content-Length': '1',
      },
      body: '{"ü":1}',
    })
    expect(answer).toMatchObject({ status: 418, isCut: false, headers: { 'set-cookie': 'a=1, b=2' } })
    expect(answer.durationMs).toBeGreaterThan(0)
    expect(JSON.parse(answer.body.toString())).toEqual({
      method: 'PUT',
      url: '/a%20b?c=d',
      headers: {
        host: `127.0.0.1:${port}`,
        connection: 'keep-alive',
        'user-agent': 'Earshot',
        'x-own': 'yes',
        'content-length': '8',
      },
      body: '{"ü":1}',
    })
  })

  it('rejects a header with a line break before anything is sent', async () => {
    const port = await receive((_request, response) => response.end())
    const request = { url: `http://127.0.0.1:${port}/`, headers: { 'x-own': 'a\r\nx-other: b' } }
    await expect(openLocal().request(request)).rejects.toThrow('invalid x-own header')
  })

  it.each([301, 302, 303, 307, 308])('does not follow a redirect with status %i', async (status) => {
    const visited: (string | undefined)[] = []
    const port = await receive((request, response) => {
      visited.push(request.url)
      response.writeHead(status, { location: `http://127.0.0.1:${port}/internal` }).end()
    })
    const answer = await openLocal().request({ url: `http://127.0.0.1:${port}/hook`, method: 'POST', body: 'x' })
    expect(answer).toMatchObject({ status, headers: { location: `http://127.0.0.1:${port}/internal` } })
    expect(visited).toEqual(['/hook'])
  })
})

describe('answers', () => {
  /** Sends a body of `total` bytes (default: endless) as fast as it is read, and counts the bytes that left. */
  async function sendBody(total = Number.POSITIVE_INFINITY) {
    const piece = Buffer.alloc(65_536)
    const sent = { bytes: 0, isClosed: false }
    const port = await receive((_request, response) => {
      if (Number.isFinite(total)) response.setHeader('content-length', total)
      response.on('close', () => {
        sent.isClosed = true
      })
      const send = () => {
        while (sent.bytes < total && !response.destroyed) {
          sent.bytes += piece.length
          if (!response.write(piece)) return response.once('drain', send)
        }
        return response.end()
      }
      send()
    })
    return { url: `http://127.0.0.1:${port}/`, sent }
  }

  it.each([
    ['1 GB', 2 ** 30],
    ['no end', undefined],
  ])('of %s are cut, and the rest is not read', async (_name, length) => {
    const outbound = openLocal()
    const read = async () => {
      const { url, sent } = await sendBody(length)
      expect(await outbound.request({ url, allowCut: true })).toMatchObject({ isCut: true, body: { length: 65_536 } })
      await vi.waitFor(() => expect(sent.isClosed).toBe(true), { interval: 5 })
      // The buffers of both sockets: 4 MB on Linux.
      expect(sent.bytes).toBeLessThan(16_000_000)
      return url
    }
    await read()
    const before = process.memoryUsage().rss
    for (let round = 0; round < 10; round++) await read()
    // The server that sends is in this process, too.
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
    expect(await failureOf(outbound, { url: await read() })).toBe('answer_too_large')
  })

  it('of the limit’s length are whole', async () => {
    const { url } = await sendBody(65_536)
    expect(await openLocal().request({ url })).toMatchObject({ isCut: false, body: { length: 65_536 } })
    const longer = await sendBody(65_536)
    expect(await failureOf(openLocal(), { url: longer.url, maxAnswerBytes: 65_535 })).toBe('answer_too_large')
  })

  it('are never decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000))
    const port = await receive((_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb))
    const answer = await openLocal().request({ url: `http://127.0.0.1:${port}/` })
    expect(answer.body.equals(bomb)).toBe(true)
  })

  it('that come too slowly are given up after the time for the whole exchange', async () => {
    const outbound = openLocal()
    const request = async (onConnection: (socket: Socket) => void) => {
      const url = `http://127.0.0.1:${await sendRaw(onConnection)}/`
      const startedMs = performance.now()
      expect(await failureOf(outbound, { url, timeoutMs: 100 })).toBe('timeout')
      expect(performance.now() - startedMs).toBeLessThan(2_000)
    }
    const drip = (text: string) => (socket: Socket) => {
      socket.write(text)
      const timer = setInterval(() => socket.write('a'), 10)
      socket.on('close', () => clearInterval(timer))
    }
    await request(() => {})
    await request(drip('HTTP/1.1 200 OK\r\nx-header: '))
    await request(drip('HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n'))
  })

  it('that break off, are no HTTP or have endless headers are failures', async () => {
    const outbound = openLocal()
    const failure = async (text: string, end: boolean) => {
      const port = await sendRaw((socket) => (end ? socket.end(text) : socket.write(text)))
      return failureOf(outbound, { url: `http://127.0.0.1:${port}/`, timeoutMs: 5_000 })
    }
    expect(await failure('', true)).toBe('unreachable')
    expect(await failure('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', true)).toBe('unreachable')
    expect(await failure('220 mail.example ESMTP\r\n', false)).toBe('unreachable')
    expect(await failure(`HTTP/1.1 200 OK\r\n${`x: ${'a'.repeat(1_000)}\r\n`.repeat(40)}`, false)).toBe(
      'answer_too_large',
    )
  })

  it('tell a closed port and a host without encryption apart', async () => {
    const outbound = openLocal()
    const port = await receive((_request, response) => response.end())
    expect(await failureOf(outbound, { url: `https://127.0.0.1:${port}/` })).toBe('tls')
    expect(await failureOf(outbound, { url: 'http://127.0.0.1:1/' })).toBe('unreachable')
  })

  it('are not awaited after a close', async () => {
    const outbound = openLocal()
    const arrived = Promise.withResolvers<void>()
    const port = await receive(() => arrived.resolve())
    const request = failureOf(outbound, { url: `http://127.0.0.1:${port}/` })
    await arrived.promise
    await outbound.close()
    expect(await request).toBe('unreachable')
  })
})

describe('who can call whom', () => {
  it.each([
    ['https://api.github.com', 'https://earshot.example.com', true],
    ['https://api.github.com', 'http://localhost:3000', false],
    ['https://api.github.com', 'http://192.168.1.5:3000', false],
    ['https://api.github.com', 'https://earshot.local', false],
    ['https://api.github.com', 'http://[::1]:3000', false],
    ['https://api.github.com', 'https://[2606:4700::1]', true],
    ['https://git.internal', 'http://10.0.0.5', true],
    ['https://git.internal', 'http://localhost:3000', false],
    ['http://127.0.0.1:8080', 'http://localhost:3000', true],
    ['http://127.0.0.1:8080', 'https://earshot.example.com', true],
  ])('%s calls %s: %s', (caller, called, can) => expect(canCall(caller, called)).toBe(can))
})
