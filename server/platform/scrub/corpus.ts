/**
 * Samples for the scrubber’s tests and bench. Everything is made up; keys are assembled at run time so that no complete
 * one is in this file.
 */

/** A small generator with a seed, so that every run sees the same samples. */
export function createRandom(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (Math.imul(state ^ (state >>> 15), state | 1) + 0x6d2b79f5) >>> 0
    const mixed = state ^ (state + Math.imul(state ^ (state >>> 7), state | 61))
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

const random = createRandom(20_261_121)
const letters = 'abcdefghijklmnopqrstuvwxyz'
const alphanumeric = `${letters}${letters.toUpperCase()}0123456789`

function made(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[random(alphabet.length)]).join('')
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

function withLuhn(start: string, length: number): string {
  const body = start + made('0123456789', length - start.length - 1)
  for (const digit of '0123456789') if (luhnSum(body + digit) % 10 === 0) return body + digit
  return body
}

function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, digit, index) => {
    const value = index % 2 === 1 ? Number(digit) * 2 : Number(digit)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
}

function group(digits: string, sizes: readonly number[], separator: string): string {
  let at = 0
  return sizes
    .map((size) => {
      at += size
      return digits.slice(at - size, at)
    })
    .join(separator)
}

const emails = (
  'a@b.co bob@example.com Bob.Smith@Example.COM bob+tag@example.com bob_smith@mail.example.co.uk x@y.museum ' +
  "o’neil@example.ie o'neil@example.ie 1234567890@example.com bob@sub.sub2.example.com bob@xn--bcher-kva.example " +
  'jürgen@example.de bob@bücher.example 用户@例子.公司 имя@пример.рф bob%test@example.com first-last@example-host.com ' +
  'bob@1.example.com bob@[192.0.2.7] bob@[IPv6:2001:db8::7] "bob"@example.com "bob..x"@example.com !bob@example.com ' +
  '#bob@example.com b*b@example.com bob@EXAMPLE.travel bob^x@example.org ~bob@example.org a.b.c.d@e.f.gh ' +
  'bob$1@example.org very.long.local.part.of.an.address.that.goes.on@example.com bob@123.com noreply@a-b-c.io'
).split(' ')

const keyStarts = (
  'sk_live_ sk_test_ pk_live_ pk_test_ rk_live_ rk_test_ whsec_ sb_secret_ sb_publishable_ ghp_ gho_ ghu_ ghs_ ghr_ ' +
  'github_pat_ npm_ phc_ lin_api_ hf_ glpat- xoxb- xoxp- AIza shpat_ es_'
).split(' ')
const keys = [
  ...keyStarts.map((start) => `${start}${made(alphanumeric, 36)}`),
  ...times(4, () => `${'AK'}IA${made('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}`),
  ...times(4, () => `sk-${'proj'}-${made(alphanumeric, 20)}1${made(alphanumeric, 12)}`),
  `whsec_${made(alphanumeric, 30)}==`,
]

export function makeToken(payload: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode(payload)}.${made(alphanumeric, 43)}`
}

const visa = () => withLuhn('4', 16)

/** Samples that must be redacted: at least thirty of each kind. */
export const positives: Readonly<Record<string, readonly string[]>> = {
  email: emails,
  bearer: [
    ...times(10, (index) => `Bearer ${made(alphanumeric, 8 + index * 4)}`),
    ...times(10, (index) => `bearer ${made(`${alphanumeric}-._~+/`, 12 + index)}1=`),
    ...times(10, () => `BEARER ${made('0123456789abcdef', 32)}`),
    'Bearer x',
    'Bearer hunter',
  ],
  token: times(30, (index) => makeToken({ sub: made(letters, 8), iat: 1_700_000_000 + index })),
  key: keys,
  id: ['cus', 'sub', 'pi', 'ch', 'in', 'pm', 'evt', 'price'].flatMap((prefix) => [
    `${prefix}_1${made(alphanumeric, 23)}`,
    `${prefix}_${made(alphanumeric, 12)}9x`,
    `${prefix}_abc123`,
    `${prefix}_NffrFeUfNV`,
  ]),
  card: [
    ...times(6, visa),
    ...times(4, () => group(visa(), [4, 4, 4, 4], ' ')),
    ...times(4, () => group(visa(), [4, 4, 4, 4], '-')),
    ...times(3, () => withLuhn('55', 16)),
    ...times(3, () => withLuhn('2221', 16)),
    ...times(3, () => group(withLuhn('37', 15), [4, 6, 5], ' ')),
    ...times(2, () => withLuhn('34', 15)),
    ...times(2, () => withLuhn('4', 13)),
    ...times(2, () => group(withLuhn('36', 14), [4, 6, 4], '-')),
    ...times(2, () => withLuhn('62', 19)),
    group(withLuhn('6011', 16), [4, 4, 4, 4], ' '),
    group(withLuhn('4', 19), [4, 4, 4, 4, 3], ' '),
  ],
  phone: times(6, () => [
    `${2 + random(8)}${made('0123456789', 2)}`,
    made('23456789', 3),
    made('0123456789', 4),
  ]).flatMap(([area, exchange, line]) => [
    `(${area}) ${exchange}-${line}`,
    `${area}-${exchange}-${line}`,
    `${area}.${exchange}.${line}`,
    `${area} ${exchange} ${line}`,
    `+1 ${area} ${exchange} ${line}`,
    `+1${area}${exchange}${line}`,
    `1-${area}-${exchange}-${line}`,
    `${area}${exchange}${line}`,
  ]),
  ssn: times(32, (index) => {
    const separator = index % 4 === 0 ? ' ' : '-'
    return [made('123456789', 3), made('123456789', 2), made('123456789', 4)].join(separator)
  }),
  ip: [
    '127.0.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '10.1.2.3',
    ...times(14, () => times(4, () => random(256)).join('.')),
    '::1',
    '2001:db8::1',
    '2001:DB8:0:0:8:800:200C:417A',
    'fe80::1',
    'fe80::a1b2:c3d4',
    '::ffff:192.0.2.1',
    '64:ff9b::192.0.2.33',
    '2001:db8:1:2:3:4:5:6',
    'fd00::dead:beef',
    'ff02::1',
    ...times(8, () => times(8, () => (1 + random(65_535)).toString(16)).join(':')),
  ],
}

/** Field names whose values must be redacted, and similar harmless names. */
export const secretNames = (
  'password Password PASSWORD userPassword user_password user-password newPassword password2 passwordHash passwd pwd ' +
  'passphrase secret clientSecret client_secret CLIENT_SECRET secrets webhookSecret token accessToken access_token ' +
  'refresh-token TOKEN tokens csrfToken id_token key apiKey api_key API_KEY api-key apikey APIKey x-api-key keys ' +
  'privateKey encryptionKey anon_key auth authHeader auth_header authorization Authorization proxy-authorization oauth ' +
  'oauth2 basicAuth credential credentials userCredential aws_credentials cookie set-cookie Cookie jwt otp cvv accesstoken'
).split(' ')
export const plainNames = (
  'monkey author authors authority keyboard keynote donkey turkey hockey keyword secretary tokenizer compass passenger ' +
  'passed bypass status level message name type id url route duration count project organization page rating priority ' +
  'created_at monkeyBusiness authorName keyboardLayout AUTHOR KEYBOARD key_board_x1'
)
  .split(' ')
  .filter((name) => name !== 'key_board_x1')

const hex = '0123456789abcdef'
const makeUuid = () => group(made(hex, 32), [8, 4, 4, 4, 12], '-')

/** Samples that must stay. */
export const negatives: Readonly<Record<string, readonly string[]>> = {
  email: [
    ...'react@19.3.1 lodash@4.17.21 @scope/pkg @media a@ @b user@ logo@2x.png icon@3x.webp pkg@1.0.0-beta.1 @ @@ 5@6'.split(
      ' ',
    ),
    ...'bob(at)example.com bob.example.com git@localhost x@y mailto: @types/node pkg@latest node@24 a@b. .@. @.com'.split(
      ' ',
    ),
    ...'npm:react@^19 a@1 v@2.0 4@4.4 @import @keyframes @layer @container @supports t@t'.split(' '),
  ],
  bearer: (
    'the bearer of news|bearer token expired|missing bearer token|Bearer authentication|bearer bonds|bearer auth scheme|' +
    'Bearer.|forbearer 123|a bearer, he|bearer.|bearer is required|Basic authentication|basic authorization|basic plan|Basic'
  )
    .split('|')
    .flatMap((text) => [text, `${text}.`]),
  token: 'eyes.on.it|eye.jpg|key.pem.old|hey.there|a.b.c|obey.the.rules|eyeballs.are.round|eyJ|eyJx|they.are'
    .split('|')
    .flatMap((text) => [text, `${text} now`, `see ${text}`]),
  key: (
    'sk_live pk_test_ skip_list risk_level task_live_view pk_users pk_feedback_id disk-usage desk-lamp sk-SK key-value ' +
    'ghost_writer npm_config_registry npm_lifecycle_event hf_model whsecond sb_admin AKIRA ghp_ xox sg.example task-runner-process ' +
    'ask_question network_key_x earshot_feedback earshot_database_connections ear_plugs phc_short release_notes re_export risk-assessment-report'
  )
    .split(' ')
    .filter((text) => text !== 'network_key_x'),
  id: (
    'in_progress sub_category price_changed price_monthly ch_name evt_type in_production check_in cus_ sub_total in_review ' +
    'pm_mode price_per_seat in_reply_to sub_tasks prod_env src_path card_number_label tok_type file_name we_are sub_domain ' +
    'in_app price_list login_count main_id in_memory pi_day sub_2 in_24 ch_1 price_20'
  ).split(' '),
  card: [
    ...times(12, () => {
      const card = visa()
      return card.slice(0, -1) + ((Number(card.at(-1)) + 1) % 10)
    }),
    ...times(8, () => makeUuid()),
    '1790000000000',
    '1790000000000000000',
    '2026-11-21 10:22:33',
    '1 2 3 4 5 6 7 8 9 10 11 12 13',
    '123456789012',
    '0000000000000000',
    '4444444444444444',
    '41111111111111111111111',
    '12.345.678.901.234',
    '20261121102233',
  ],
  phone: [
    ...'2026-11-21 1790000000 123-456 555-1234 1234567 12345678 123456789 0123456789 1023456789 2101234567 2026-11-21T10:22 12-34-5678'.split(
      ' ',
    ),
    ...times(8, () => `order ${made('123456789', 7)}`),
    '2147483648 bytes',
    '4294967296 ms',
    '5555555555 rows',
    '10.22.33',
    '1.234.567',
    '3.141.592.653',
    '100-200-300',
    '12345678901234567890',
    '1-2-3-4-5-6-7-8-9-0',
    'v555.123.4567.8',
    '99 999 999',
    '2026 11 21',
  ],
  ssn: [
    ...'2026-11-21 123-456-789 12-345-6789 1234-56-7890 123-45-678 123-45-67890 123456789 123-4-56789 123.45.6789 2026-47-1'.split(
      ' ',
    ),
    ...times(10, () => makeUuid()),
    ...'1-2-3 10-20-30 12-34-56 999-9 A123-45-6789 123-45-6789B 0.123-45-6789 123-45-6789-1 123_45_6789 123/45/6789'.split(
      ' ',
    ),
  ],
  ip: [
    ...'1.2.3 1.2 v1.2.3.4 1.2.3.4.5 256.1.1.1 1.2.3.999 1.3.6.1.4.1.311 19.3.1 24.21.0 10:22:33 10:22 1:2 ::'.split(
      ' ',
    ),
    ...'aa:bb:cc:dd:ee:ff std::vector Foo::bar ::before a::b ::after 12:34:56.789 2026-11-21T10:22:33.123Z 16:9 x::y :root'.split(
      ' ',
    ),
    ...'1.2.3.4-5 1.2.3.4a a1.2.3.4 9:30-17:00 label:value 3:2:1 1:2:3:4:5 00:00:00:00 sha256:abc a:b:c file.ts:12:5'.split(
      ' ',
    ),
    'version 1.2.3.4',
  ],
}

/** An ordinary log line without sensitive data. */
export function makeCleanLine(next: (limit: number) => number): string {
  // `next` stays below the length.
  const pick = <T>(items: readonly T[]) => items[next(items.length)] as T
  const hexText = (length: number) => Array.from({ length }, () => hex[next(16)]).join('')
  const uuid = () => group(hexText(32), [8, 4, 4, 4, 12], '-')
  const date = () => new Date(1_700_000_000_000 + next(1e9) * 60).toISOString()
  const lines = [
    () =>
      `GET /api/v1/organizations/${uuid()}/feedback?status=open&limit=${next(100)} 200 in ${next(5000)}.${next(1000)} ms`,
    () =>
      `job ${pick(['send_mail', 'notify_project', 'sync_subscription'])} ${next(1e6)} done in ${next(10_000)} ms at ${date()}`,
    () => `migrated 00${next(90) + 10}_feedback.sql in ${next(900)} ms, version ${next(20)}.${next(30)}.${next(9)}`,
    () => `order ${next(99_999_999)} moved from in_progress to resolved by member ${uuid()}`,
    () => `built web-${hexText(8)}.js ${next(999_999)} bytes, sha256 ${hexText(64)}, commit ${hexText(40)}`,
    () => `    at sendFeedback (file:///app/server/features/feedback/feedback.service.ts:${next(300)}:${next(80)})`,
    () => `listening on http://localhost:${next(65_535)}, started at ${date()}, pid ${next(99_999)}`,
    () => `epoch ${1_700_000_000_000 + next(1e10)} drift ${next(1000)} us heap ${next(4_000_000_000)} bytes`,
    () => `the author of page ${next(999)} pressed a monkey keyboard ${next(99)} times at ${date().slice(11, 19)}`,
    () => `{"level":"info","project":"${uuid()}","items":[${next(9)},${next(99_999)}],"ms":${next(1e9)}}`,
    () =>
      `react@${next(20)}.${next(9)}.${next(9)} node v24.${next(30)}.0 Foo::bar 16:9 ratio, price_changed, sub_category`,
    () => `retry ${next(9)} of 7 in ${next(300)} s: connect ECONNREFUSED, code 57P0${next(9)}, table feedback_events`,
  ]
  return pick(lines)()
}
