import type { Role } from '#contract/permissions.ts'

/** Every member's password, unless the command sets another. Documented in the guides, so not secret. */
export const demoPassword = 'earshot-demo'

/** The demo's fixed ids: by them it is found again, and only these rows are ever deleted. */
export const demoOrganization = {
  id: '0192e4a0-0000-7000-8000-00000000d000',
  name: 'Fernwood Furniture',
  slug: 'fernwood-furniture',
} as const

export interface DemoMember {
  readonly id: string
  readonly email: string
  readonly fullName: string
  readonly role: Exclude<Role, 'superadmin'>
  /** The member's share of the changes to feedback. */
  readonly share: number
}

export const owner = member(1, 'maya', 'Maya Lindqvist', 'owner', 2)
export const admin = member(2, 'tomas', 'Tomás Herrera', 'admin', 5)

export const demoMembers: readonly DemoMember[] = [
  owner,
  admin,
  member(3, 'noor', 'Noor Haddad', 'member', 8),
  member(4, 'ben', 'Ben Achterberg', 'member', 6),
  member(5, 'ines', 'Inês Carvalho', 'viewer', 0),
]

function member(number: number, name: string, fullName: string, role: DemoMember['role'], share: number): DemoMember {
  return {
    id: `0192e4a0-0000-4000-8000-00000000d00${number}`,
    email: `${name}@fernwood.example`,
    fullName,
    role,
    share,
  }
}

export interface Visitor {
  readonly name: string
  readonly email: string
  readonly language: string
  readonly timeZone: string
}

/** Visitors by language and time zone. Their addresses don't exist: example.org is reserved. */
export const visitors: readonly Visitor[] = [
  ...people('en-GB', 'Europe/London', [
    'Hannah Whitcombe',
    'Oliver Prentice',
    'Priya Raman',
    'Gareth Llewellyn',
    'Moira MacAllister',
    'Dorothy Askew',
    'Kwame Asante',
    'Sophie Brightwell',
    'Alistair Finch',
    'Zainab Okoye',
    'Peter Stainforth',
    'Lucy Ferrars',
  ]),
  ...people('en-US', 'America/New_York', [
    'Marcus Delaney',
    'Jenny Castellano',
    'Walter Nakamura',
    'Aaliyah Brooks',
    'Chris Vandermeer',
    'Ruth Goldfarb',
  ]),
  ...people('en-US', 'America/Los_Angeles', ['Dana Whitehorse', 'Minh Tran', 'Carla Esposito']),
  ...people('en-IE', 'Europe/Dublin', ['Aoife Gallagher', 'Declan Rourke']),
  ...people('en-AU', 'Australia/Sydney', ['Bronwyn Tate', 'Jack Moretti']),
  ...people('de', 'Europe/Berlin', [
    'Jürgen Albrecht',
    'Annika Sommer',
    'Mehmet Yıldız',
    'Katharina von Stetten',
    'Lena Brückner',
  ]),
  ...people('fr', 'Europe/Paris', ['Élodie Marchand', 'Baptiste d’Amboise', 'Fatou Diallo', 'Hugo Lemaire']),
  ...people('es', 'Europe/Madrid', ['Lucía Navarro', 'Íñigo Etxeberria', 'Carmen Villalba']),
  ...people('it', 'Europe/Rome', ['Giulia Ferrante', 'Matteo Bellandi']),
  ...people('nl', 'Europe/Amsterdam', ['Sanne de Wit', 'Joris van den Berg', 'Femke Postma']),
  ...people('sv', 'Europe/Stockholm', ['Elsa Bergström', 'Nils Åkesson']),
  ...people('pl', 'Europe/Warsaw', ['Agnieszka Wójcik', 'Paweł Nowicki']),
  ...people('pt', 'Europe/Lisbon', ['Rui Tavares', 'Beatriz Nogueira']),
  ...people('da', 'Europe/Copenhagen', ['Søren Kjær']),
  ...people('tr', 'Europe/Istanbul', ['Elif Demirtaş']),
  ...people('uk', 'Europe/Kyiv', ['Оксана Коваленко']),
  ...people('ja', 'Asia/Tokyo', ['佐藤 美咲', '田中 健一']),
  ...people('zh', 'Asia/Shanghai', ['陈思远']),
  ...people('ar', 'Asia/Dubai', ['ليلى منصور', 'يوسف الخطيب']),
]

function people(language: string, timeZone: string, names: readonly string[]): Visitor[] {
  return names.map((name, index) => ({
    name,
    email: `${toLocalPart(name, `${language}.${index + 1}`)}@example.org`,
    language,
    timeZone,
  }))
}

/** `Élodie Marchand` → `elodie.marchand`; a name without Latin letters gets a neutral address. */
function toLocalPart(name: string, neutral: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[ıøæß]/g, (letter) => ({ ı: 'i', ø: 'o', æ: 'ae', ß: 'ss' })[letter] ?? '')
  const words = plain
    .toLowerCase()
    .replace(/[^a-z\s-]/g, '')
    .trim()
  return words === '' ? `visitor.${neutral}` : words.replace(/\s+/g, '.')
}
