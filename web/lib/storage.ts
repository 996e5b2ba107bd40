/*
 * Everything the app keeps in the browser, under one prefix. Storage can be full, forbidden or wiped at any moment
 * (private windows, policies), so reading answers null and writing is best effort.
 */
export const storageKeys = {
  /** Session of the auth client. Fixed, so that a change of the API's host keeps people signed in. */
  session: 'earshot-session',
  /** Also in session storage: the organisation of this tab. See `selected-organization.ts`. */
  selectedOrganizationId: 'earshot-selected-organization',
  /** In session storage: the token with which this tab acts as someone else. */
  impersonation: 'earshot-impersonation',
  rememberMe: 'earshot-remember-me',
  /** The address that was registered and not yet verified. */
  pendingEmailVerification: 'earshot-pending-email-verification',
  theme: 'earshot-theme',
  /** `compact`: lists have lower rows. */
  density: 'earshot-density',
  /** `accepted` or `declined`: analytics and error reports, where the operator asks for consent. */
  analyticsConsent: 'earshot-analytics-consent',
  /** `off`: no single-key shortcuts. */
  shortcuts: 'earshot-shortcuts',
  /** The tab of code samples that was selected last, e.g. `React`, and the project whose key they show. */
  docsTab: 'earshot-docs-tab',
  docsProject: 'earshot-docs-project',
  /** Begins a key for each person and organisation. `done` or `later`: the first steps are not shown. */
  firstSteps: 'earshot-first-steps',
  /** Begins a key for each organisation. When its logo was asked for, in milliseconds since 1970, and its address. */
  logo: 'earshot-logo',
  /** As milliseconds since 1970: when the person signed out, so that other tabs know it was intentional. */
  signedOutAt: 'earshot-signed-out-at',
  /** In session storage: what was begun to be written, and by whom. */
  unsentTexts: 'earshot-unsent-texts',
  /** In session storage: the address last used for sign-up. */
  lastSignUpEmail: 'earshot-last-sign-up-email',
  /** In session storage, as milliseconds since 1970: when an email was last requested, and when Google sign-in started. */
  magicLinkSentAt: 'earshot-magic-link-sent-at',
  recoverySentAt: 'earshot-recovery-sent-at',
  verificationSentAt: 'earshot-verification-sent-at',
  emailChangeSentAt: 'earshot-email-change-sent-at',
  googleStartedAt: 'earshot-google-started-at',
} as const

type Area = 'local' | 'session'

function openArea(area: Area): Storage {
  return area === 'local' ? window.localStorage : window.sessionStorage
}

export function readStored(key: string, area: Area = 'local'): string | null {
  try {
    return openArea(area).getItem(key)
  } catch {
    return null
  }
}

export function writeStored(key: string, value: string, area: Area = 'local'): void {
  try {
    openArea(area).setItem(key, value)
  } catch {
    // Nothing depends on it being there.
  }
}

export function removeStored(key: string, area: Area = 'local'): void {
  try {
    openArea(area).removeItem(key)
  } catch {
    // It wasn't readable either.
  }
}

/** Whether a superadmin uses this tab as someone else. */
export function isImpersonated(): boolean {
  return readStored(storageKeys.impersonation, 'session') !== null
}

/** Whether the session should outlive the browser window. Yes unless the person said no. */
function isRemembered(): boolean {
  return readStored(storageKeys.rememberMe) !== 'false'
}

/**
 * Where the auth client keeps the session: in the window only if the person doesn't want to be remembered. The codes
 * that prove a mailed link was asked for here always go to local storage, for the link opens in another tab.
 */
export const sessionStore = {
  getItem: (key: string) => readStored(key, 'session') ?? readStored(key, 'local'),
  setItem(key: string, value: string) {
    const area = isRemembered() || key.endsWith('-code-verifier') ? 'local' : 'session'
    writeStored(key, value, area)
    removeStored(key, area === 'local' ? 'session' : 'local')
  },
  removeItem(key: string) {
    removeStored(key, 'session')
    removeStored(key, 'local')
  },
}
