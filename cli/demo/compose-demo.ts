import type { Submission } from '#contract/widget.ts'
import { announceFiles, attachFiles, type DemoAttachment, findWindow, tellStory } from './attach-files.ts'
import { helpAttached, plannerAttached, shopAttached } from './attached-messages.ts'
import { type Chance, createChance } from './chance.ts'
import { chooseRating, composeMarks } from './choose-marks.ts'
import { chooseVisitTime, dayMs } from './choose-time.ts'
import { commentOnItem } from './comment-on-item.ts'
import { composeContext } from './compose-context.ts'
import { countWidgetUse, type DemoCount } from './count-widget-use.ts'
import type { DemoItem } from './demo-item.ts'
import { chooseSlots, fillSlots, hasSlots, type Slots } from './fill-slots.ts'
import { foreignMessages } from './foreign-messages.ts'
import { helpMessages, helpPages } from './help-messages.ts'
import { importItems } from './import-items.ts'
import { type DemoMessage, type DemoPage, listMessages } from './message.ts'
import { demoMembers, type Visitor, visitors } from './people.ts'
import { plannerMessages, plannerPages } from './planner-messages.ts'
import { putAway } from './put-away.ts'
import { outageMessages, shopMessages, shopPages } from './shop-messages.ts'
import { spamMessages } from './spam-messages.ts'
import { workOnItem } from './work-on-item.ts'

/** How far back the demo reaches: a year, and one to compare it with. */
export const demoDays = 730

export interface DemoProject {
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly widgetKey: string
}

export interface Demo {
  readonly projects: readonly DemoProject[]
  /** Oldest first. */
  readonly items: readonly DemoItem[]
  readonly counts: readonly DemoCount[]
}

interface Draft {
  readonly website: Website
  readonly message: DemoMessage
  createdAt: Date
  isWatched: boolean
}

interface Website {
  readonly project: DemoProject
  readonly messages: readonly DemoMessage[]
  readonly pages: Readonly<Record<string, DemoPage>>
  /** How often a text with slots is used. */
  readonly repeats: number
  /** The website's metadata of a visitor that it knows. */
  composeMetadata(chance: Chance): Record<string, unknown>
}

const shop = project(1, 'Online shop', 'shop.fernwood.example')
/** The project with imported earlier feedback. */
export const importedProjectId = shop.id

const websites: readonly Website[] = [
  {
    project: shop,
    messages: [
      ...listMessages(shopMessages),
      ...listMessages(outageMessages, { isOutage: true }),
      ...foreignMessages,
      ...spamMessages,
      ...shopAttached,
    ],
    pages: shopPages,
    repeats: 7.5,
    composeMetadata: (chance) => ({
      orders: chance.between(0, 6),
      basketItems: chance.between(0, 5),
      ...(chance.happens(0.3) && { newsletter: chance.happens(0.5) }),
    }),
  },
  {
    project: project(2, 'Room planner', 'planner.fernwood.example'),
    messages: [...listMessages(plannerMessages), ...plannerAttached],
    pages: plannerPages,
    repeats: 6,
    composeMetadata: (chance) => ({
      rooms: chance.between(1, 9),
      release: `2026.${chance.between(36, 46)}.${chance.between(0, 3)}`,
    }),
  },
  {
    project: project(3, 'Help centre', 'help.fernwood.example'),
    messages: [...listMessages(helpMessages), ...helpAttached],
    pages: helpPages,
    repeats: 6,
    composeMetadata: () => ({}),
  },
]

function project(number: number, name: string, domain: string): DemoProject {
  return {
    id: `0192e4a0-0000-7000-8000-00000000d10${number}`,
    name,
    domain,
    widgetKey: `wk_fernwood${number}fernwoodDemo0`,
  }
}

/** All content of the demo organisation at `now`; deterministic per instant. */
export function composeDemo(now: Date): Demo {
  const chance = createChance(40)
  const outageAt = findOutage(now)
  const drafts: Draft[] = websites.flatMap((website) =>
    website.messages.flatMap((message) =>
      Array.from({ length: countUses(chance, website, message) }, () => ({
        website,
        message,
        createdAt: message.isOutage
          ? new Date(outageAt.getTime() + chance.between(0, 200) * 60_000 + chance.between(0, 59_999))
          : chooseVisitTime(chance, now, demoDays),
        isWatched: false,
      })),
    ),
  )
  makeRecent(chance, drafts, now)
  drafts.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  const numbers = new Map<string, number>()
  const items = drafts.map((draft) => {
    const { id } = draft.website.project
    const number = (numbers.get(id) ?? 0) + 1
    numbers.set(id, number)
    return composeItem(chance, draft, number, now)
  })
  return {
    projects: websites.map((website) => website.project),
    items: showEachKind(mergeDuplicates(chance, importItems(items, importedProjectId))),
    counts: countWidgetUse(chance, items, now, demoDays),
  }
}

function countUses(chance: Chance, website: Website, message: DemoMessage): number {
  if (message.language !== undefined || !hasSlots(message.text)) return 1
  return Math.floor(website.repeats) + (chance.happens(website.repeats % 1) ? 1 : 0)
}

/** Merges some items closed as duplicates into an earlier item of the same type. */
function mergeDuplicates(chance: Chance, items: readonly DemoItem[]): DemoItem[] {
  return items.map((item, index) => {
    if (item.closedReason !== 'duplicate' || item.deletedAt !== null || chance.happens(0.4)) return item
    const targets = items
      .slice(Math.max(0, index - 60), index)
      .filter(
        (each) =>
          each.projectId === item.projectId &&
          each.submission.type === item.submission.type &&
          each.closedReason !== 'duplicate' &&
          each.spamReason === null &&
          each.deletedAt === null,
      )
    return { ...item, mergedInto: targets.length > 0 ? chance.pick(targets).submission.id : null }
  })
}

/** At any time, the inbox has an item with a file of each kind: the newest one, if all were put away. */
function showEachKind(items: readonly DemoItem[]): DemoItem[] {
  const has = (item: DemoItem, kind: string) => item.files.some(({ file }) => file.kind === kind)
  const isShown = (item: DemoItem) =>
    item.archivedAt === null && item.deletedAt === null && item.mergedInto === null && item.spamReason === null
  const kinds = new Set(items.flatMap(({ files }) => files.map(({ file }) => file.kind)))
  const missing = [...kinds].filter((kind) => !items.some((item) => isShown(item) && has(item, kind)))
  const takenOut = new Set(missing.map((kind) => items.findLast((item) => has(item, kind))))
  return items.map((item) =>
    takenOut.has(item) ? { ...item, archivedAt: null, deletedAt: null, mergedInto: null } : item,
  )
}

/** A Tuesday afternoon some three weeks ago. */
function findOutage(now: Date): Date {
  const day = new Date(now.getTime() - 20 * dayMs)
  day.setUTCHours(12, 40, 0, 0)
  return new Date(day.getTime() - ((day.getUTCDay() + 5) % 7) * dayMs)
}

/** At any hour, some items are new and a member is working on them. */
function makeRecent(chance: Chance, drafts: readonly Draft[], now: Date): void {
  // Every other one has a file.
  const withFile = drafts.filter((draft) => draft.message.isOfToday)
  const rest = chance.shuffle(drafts.filter((draft) => !draft.message.isOutage && !draft.message.isOfToday))
  for (const [index, minutesAgo] of [3, 11, 26, 44, 71, 95, 118, 160, 205, 240, 310, 390, 450].entries()) {
    const draft = (index % 2 === 0 ? withFile.shift() : undefined) ?? rest.pop()
    if (draft === undefined) return
    draft.createdAt = new Date(now.getTime() - minutesAgo * 60_000 - chance.between(0, 50_000))
    draft.isWatched = minutesAgo > 20 && chance.happens(0.75)
  }
}

const sources = [
  ['widget', 90],
  ['link', 4],
  ['api', 3],
  ['import', 1],
  ['manual', 2],
] as const
const actors = demoMembers.map((member) => [member.id, member.share] as const)

function composeItem(chance: Chance, draft: Draft, number: number, now: Date): DemoItem {
  const { website, message, createdAt, isWatched } = draft
  const source = message.files ? 'widget' : chance.weigh(sources)
  const files = attachFiles(chance, message.files ?? [], createdAt)
  const submission = composeSubmission(chance, draft, files)
  const work = workOnItem(
    chance,
    {
      type: message.type,
      createdAt,
      isOutage: message.isOutage ?? false,
      isSpam: message.spamReason !== undefined,
      isWatched,
    },
    actors,
    now,
  )
  const isSpam = message.spamReason !== undefined
  const comments = commentOnItem(chance, { type: message.type, hasAddress: submission.email !== undefined }, work, now)
  return {
    projectId: website.project.id,
    number,
    source,
    createdAt,
    // Only browsers send a context.
    files,
    submission: source === 'widget' || source === 'link' ? submission : { ...submission, context: {} },
    visitorVerified: submission.visitor !== undefined && chance.happens(0.85),
    spamReason: message.spamReason ?? null,
    comments,
    mergedInto: null,
    ...work,
    ...putAway(chance, { createdAt, isSpam }, work, comments, now),
  }
}

function composeSubmission(
  chance: Chance,
  { website, message, createdAt }: Draft,
  files: readonly DemoAttachment[],
): Submission {
  const slots: Slots = { ...chooseSlots(chance), ...message.slots }
  const language = message.language ?? 'en'
  const speakers = visitors.filter((visitor) => visitor.language.startsWith(language))
  // English is also written by people who are at home in another language.
  const visitor = chance.pick(language === 'en' && chance.happens(0.2) ? visitors.filter(isEuropean) : speakers)
  const page = website.pages[message.page]
  if (!page) throw new Error(`The demo's texts name a page ${message.page} that does not exist.`)
  const rating = chooseRating(chance, message.type)
  const known = chance.weigh([
    ['customer', 38],
    ['email', 22],
    ['anonymous', 40],
  ] as const)
  return {
    id: chance.uuid(createdAt),
    type: message.type,
    message: fillSlots(message.text, slots),
    ...(rating !== undefined && { rating }),
    ...(known !== 'anonymous' && { email: visitor.email }),
    ...(known === 'customer' && { name: visitor.name }),
    page: {
      url: `https://${website.project.domain}${fillSlots(page.path, slots)}`,
      title: fillSlots(page.title, slots),
    },
    context: {
      ...composeContext(chance, visitor, website.project.domain, findWindow(files)),
      ...tellStory(files),
    },
    ...announceFiles(files),
    ...(known === 'customer' && describeCustomer(visitor, website.composeMetadata(chance))),
    ...composeMarks(chance, message),
  }
}

/** The website's identification of a visitor: the same id in both places. */
function describeCustomer(
  visitor: Visitor,
  metadata: Record<string, unknown>,
): Pick<Submission, 'metadata' | 'visitor'> {
  const customerId = toCustomerId(visitor)
  return { metadata: { customerId, ...metadata }, visitor: { id: customerId } }
}

function isEuropean(visitor: Visitor): boolean {
  return ['de', 'fr', 'nl', 'sv', 'it', 'da'].includes(visitor.language)
}

/** Each person has one customer number over all websites and years. The factor makes them look non-sequential. */
function toCustomerId(visitor: Visitor): string {
  return `C-${10_400 + ((visitors.indexOf(visitor) * 7_919) % 78_500)}`
}
