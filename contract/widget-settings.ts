import Type, { type Static } from 'typebox'
import { FeedbackType } from './feedback.ts'
import { line, lines } from './text.ts'

/** Languages that the widget speaks. The first is the one it falls back to. */
export const widgetLocales = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'sv', 'ja', 'ar', 'he'] as const
export type WidgetLocale = (typeof widgetLocales)[number]
const WidgetLocale = Type.Enum([...widgetLocales])

export const launcherPositions = [
  'bottom-right',
  'bottom-left',
  'middle-right',
  'middle-left',
  'top-right',
  'top-left',
] as const
const widgetThemes = ['auto', 'light', 'dark'] as const
export const ratingKinds = ['none', 'faces', 'stars', 'nps'] as const
const askings = ['hidden', 'optional', 'required'] as const
/** Limits of a recording in seconds: the visitor may extend up to the longest. */
export const longestVoiceSeconds = 300
export const longestScreenSeconds = 600

/** Longest team picture as a `data:` address, in characters: about 12 kB of picture. */
const maxPictureLength = 16_400

const strict = { additionalProperties: false } as const

/** A question of the project's own. Its id names the answer in a submission and is never shown. */
export const CustomField = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$', maxLength: 40 }),
    kind: Type.Enum(['text', 'select', 'checkbox']),
    label: line({ minLength: 1, maxLength: 100 }),
    required: Type.Boolean(),
    /** For `select`: what can be chosen. */
    options: Type.Optional(Type.Array(line({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 30 })),
  },
  strict,
)
export type CustomField = Static<typeof CustomField>

/** Everything a project decides about its widget. Stored whole; what is missing has its default. */
export const WidgetSettings = Type.Object(
  {
    launcher: Type.Object(
      {
        /** `custom`: no button of ours; the site opens the panel by the API or by `attachTo`. */
        kind: Type.Enum(['button', 'custom']),
        position: Type.Enum([...launcherPositions]),
        /** Distance from the two nearest edges of the window, in CSS pixels. */
        offset: Type.Integer({ minimum: 0, maximum: 200 }),
      },
      strict,
    ),
    theme: Type.Enum([...widgetThemes]),
    /** Accent as `#rrggbb`. */
    color: Type.String({ pattern: '^#[0-9a-f]{6}$', maxLength: 7 }),
    /** Radius of the panel's corners in CSS pixels. */
    radius: Type.Integer({ minimum: 0, maximum: 24 }),
    /** Line under the form's title; empty: none. */
    greeting: line({ maxLength: 160 }),
    /**
     * Small square picture in the panel's header, as a `data:` address; empty: none. It comes with the texts: no further
     * request, and no origin that a site's content security policy does not allow yet. An https address would tell its
     * server of every visitor. SVG is excluded: it can load other files.
     */
    teamPicture: Type.Union([
      Type.Literal(''),
      Type.String({
        pattern: '^data:image/(webp|png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$',
        maxLength: maxPictureLength,
      }),
    ]),
    /** Kinds of feedback to choose from, in this order; none: not asked. */
    types: Type.Array(FeedbackType, { maxItems: 5, uniqueItems: true }),
    rating: Type.Enum([...ratingKinds]),
    email: Type.Enum([...askings]),
    name: Type.Enum([...askings]),
    fields: Type.Array(CustomField, { maxItems: 10 }),
    /** Line above the send button; empty: none. */
    consent: Type.Object({ text: lines({ maxLength: 500 }), required: Type.Boolean() }, strict),
    capture: Type.Object(
      {
        screenshot: Type.Boolean(),
        file: Type.Boolean(),
        voice: Type.Boolean(),
        screen: Type.Boolean(),
      },
      strict,
    ),
    privacy: Type.Object(
      {
        /** False: nothing is kept in the visitor's browser, neither drafts nor what could not be sent. */
        storage: Type.Boolean(),
        console: Type.Boolean(),
        network: Type.Boolean(),
        /** Elements that are blacked out in pictures of the page, beside those that always are. */
        mask: Type.Array(line({ minLength: 1, maxLength: 200 }), { maxItems: 20 }),
      },
      strict,
    ),
    /** Whether the last minute before sending can be attached as a replay. */
    replay: Type.Boolean(),
    /** Whether visitors see what they have sent, with status and replies. */
    ownItems: Type.Boolean(),
    /** Where visitors can write when nothing can be sent; empty: nowhere. */
    contactEmail: Type.Union([Type.Literal(''), Type.String({ format: 'email', maxLength: 254 })]),
    /** `auto`: the browser's language, if supported. */
    locale: Type.Union([Type.Literal('auto'), WidgetLocale]),
    /** Own words by language and name of the text, e.g. `{ "en": { "title": "Tell us" } }`. */
    texts: Type.Record(
      Type.String({ maxLength: 2 }),
      Type.Record(Type.String({ maxLength: 40 }), line({ maxLength: 300 }), { maxProperties: 200 }),
      { maxProperties: 12 },
    ),
  },
  strict,
)
export type WidgetSettings = Static<typeof WidgetSettings>

export const defaultWidgetSettings: WidgetSettings = {
  launcher: { kind: 'button', position: 'bottom-right', offset: 16 },
  theme: 'auto',
  color: '#5b5bd6',
  radius: 14,
  greeting: '',
  teamPicture: '',
  types: ['bug', 'idea', 'question', 'praise'],
  rating: 'faces',
  email: 'optional',
  name: 'hidden',
  fields: [],
  consent: { text: '', required: false },
  capture: { screenshot: true, file: true, voice: true, screen: true },
  privacy: { storage: true, console: true, network: true, mask: [] },
  replay: false,
  ownItems: true,
  contactEmail: '',
  locale: 'auto',
  texts: {},
}

/** What the loader is given with its code: what it takes to show the button and to find the rest. */
export interface LoaderSettings {
  /** The public widget key. */
  readonly key: string
  /** Folder of the stages on the origin that served the loader: `/e/a/{build}/panel.js`. */
  readonly build: string
  /** Names this state of the settings: `/e/{key}/{locale}-{version}.js`. */
  readonly version: string
  /** Hosts the widget works on, with their subdomains; loopback always works and marks items as tests. */
  readonly hosts: readonly string[]
  /** The button's place and colours: CSS declarations. */
  readonly style: string
  // What follows is there only where it says something else than the default, since every page load carries it.
  /** Keeping drafts and waiting submissions in the visitor's browser. Missing: allowed. */
  readonly storage?: false
  /** Recording the page's console, and its requests. Missing: recorded. */
  readonly console?: false
  readonly network?: false
  /** The one language to speak; missing: the browser's. */
  readonly locale?: WidgetLocale
  /** The button's words in the browser's language, where they are not `Feedback`. */
  readonly label?: string
  /** Missing: the browser's. */
  readonly theme?: 'light' | 'dark'
  readonly replay?: true
}

/** What the panel is given beside its texts, in `/e/{key}/{locale}-{version}.js`. */
export interface PanelSettings
  extends Pick<
    WidgetSettings,
    | 'radius'
    | 'greeting'
    | 'teamPicture'
    | 'types'
    | 'rating'
    | 'email'
    | 'name'
    | 'fields'
    | 'consent'
    | 'capture'
    | 'replay'
    | 'ownItems'
    | 'contactEmail'
  > {
  readonly mask: readonly string[]
  readonly position: WidgetSettings['launcher']['position']
  readonly offset: number
  /** The accent as fill, the ink on it, and the accent as text on light and on dark ground: CSS colours. */
  readonly colors: { readonly fill: string; readonly ink: string; readonly light: string; readonly dark: string }
}
