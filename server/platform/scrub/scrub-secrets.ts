/** Bearer and other tokens, API keys of the services in use, private keys, and credentials inside addresses. */
export function scrubSecrets(text: string): string {
  let out = text
  if (out.includes('PRIVATE KEY')) out = out.replace(privateKey, '[key]')
  if (out.includes('ey')) out = out.replace(jsonWebToken, '[token]')
  if (out.includes('earer') || out.includes('EARER')) out = out.replace(bearerToken, redactBearer)
  if (out.includes('asic')) out = out.replace(basicCredentials, redactBasic)
  if (out.includes('_')) out = out.replace(underscoredKey, '[key]')
  if (otherKeyHint.test(out)) out = out.replace(otherKey, '[key]')
  if (out.includes('://')) out = out.replace(addressCredentials, '$1[redacted]@')
  return out
}

const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g

// A header that begins with `{"` or `{ "` in base64url, and at least a second part.
const jsonWebToken = /(?<![\w-])ey[A-Z][\w-]{5,}\.[\w-]{2,}(?:\.[\w-]*){0,3}/g

const bearerToken = /(?<![A-Za-z0-9])(bearer(?:[ \t]{1,8}|%20|\+|:[ \t]{0,4}))(["']?)([\w.~+/=-]+|\[token\])/gi
// Words that follow “bearer” in a sentence. Any other word counts as a token, however short.
const afterBearerInProse = new Set(
  (
    'token tokens auth authentication authorization authorisation scheme schemes header headers realm credential ' +
    'credentials is was of and or in for the a an not missing required expired invalid error format type method ' +
    'methods only flow grant instead must bond bonds share shares'
  ).split(' '),
)

function redactBearer(match: string, lead: string, quote: string, value: string): string {
  const word = value.replace(/[.=/-]+$/, '').toLowerCase()
  return value === '[token]' || word === '' || afterBearerInProse.has(word) ? match : `${lead}${quote}[token]`
}

const basicCredentials = /(?<![A-Za-z0-9])(basic[ \t]{1,8})([A-Za-z0-9+/]{6,}={0,2})/gi

// Base64 is recognised by padding, a digit or an inner capital: “Basic authentication” has none.
function redactBasic(match: string, lead: string, value: string): string {
  return /=$|\d|[a-z][A-Z]/.test(value) ? `${lead}[token]` : match
}

const underscoredKey = new RegExp(
  `(?<![A-Za-z0-9])(?:${[
    '(?:sk|pk|rk)_(?:live|test)_\\w{3,}',
    '(?:sk|pk|rk)_(?=[A-Za-z]*\\d)[A-Za-z0-9]{16,}',
    'whsec_[A-Za-z0-9+/=_-]{4,}',
    'sb_(?:secret|publishable)_[\\w-]{4,}',
    'gh[pousr]_[A-Za-z0-9]{10,}',
    'github_pat_\\w{10,}',
    'npm_[A-Za-z0-9]{20,}',
    'ph[cx]_[A-Za-z0-9]{20,}',
    'lin_(?:api|oauth)_[A-Za-z0-9]{16,}',
    'do[opr]_v1_[A-Za-z0-9]{20,}',
    'shp(?:at|ss|ca|pa)_[A-Za-z0-9]{16,}',
    'hf_[A-Za-z0-9]{20,}',
    're_(?=[A-Za-z]*\\d)[A-Za-z0-9]{6,}_[A-Za-z0-9]{16,}',
    // The product’s own: API keys, and access tokens, codes and refresh tokens of connected apps.
    'es[acr]?_[A-Za-z0-9]{20,}',
    'ear(?:shot)?_(?:live_|test_|sk_|key_|api_)?(?=[A-Za-z]*\\d)[A-Za-z0-9]{12,}',
  ].join('|')})`,
  'g',
)

const otherKeyHint = /A[KS]IA|AIza|xox|xapp|glpat|sk-|SG\.|ya29|key-/
const otherKey = new RegExp(
  `(?<![A-Za-z0-9])(?:${[
    'A[KS]IA[0-9A-Z]{12,}',
    'AIza[\\w-]{30,}',
    'xox[a-z]-[\\w-]{8,}',
    'xapp-[\\w-]{10,}',
    'glpat-[\\w-]{12,}',
    'sk-(?=[\\w-]{0,40}\\d)[\\w-]{16,}',
    'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
    'ya29\\.[\\w-]{16,}',
    'key-[0-9a-f]{32}',
  ].join('|')})`,
  'g',
)

// `scheme://name:password@host`. The part before `@` contains no slash; 512 bounds a scan that finds no `@`.
const addressCredentials = /(:\/\/)(?!\[redacted\]@)[^\s/?#@"'<>]{0,255}:[^\s/?#"'<>@]{1,255}@/g
