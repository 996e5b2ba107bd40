import type { Chance } from './chance.ts'

const products = [
  'Halden sideboard',
  'Tarn sofa',
  'Birk bookcase',
  'Sund dining table',
  'Kelso armchair',
  'Fjell bed frame',
  'Lune coffee table',
  'Rowan desk',
  'Marl rug',
  'Wick floor lamp',
  'Ness bar stool',
  'Alva wardrobe',
  'Tove chest of drawers',
  'Brae garden bench',
  'Isla bedside table',
  'Corrie corner sofa',
  'Skerry shelf',
  'Dunlin chair',
]
const categories = ['sofas', 'tables', 'chairs', 'shelves', 'beds', 'wardrobes', 'desks', 'lamps']
const colours = [
  'moss',
  'slate',
  'oat',
  'rust',
  'midnight blue',
  'sage',
  'terracotta',
  'charcoal',
  'linen white',
  'mustard',
]
const cities = [
  'Leeds',
  'Bristol',
  'Antwerp',
  'Utrecht',
  'Hamburg',
  'Lyon',
  'Malmö',
  'Galway',
  'Porto',
  'Graz',
  'Ghent',
  'York',
]
const roomNames = [
  'Living room',
  'Attic',
  'Guest room',
  'Kitchen',
  'Bedroom v2',
  'Office',
  'Nursery',
  'Hall',
  'Balcony',
]

/** The values for the slots of one item, the same in its text and its page's URL. */
export type Slots = Readonly<Record<string, string>>

export function chooseSlots(chance: Chance): Slots {
  const product = chance.pick(products)
  const category = chance.pick(categories)
  const city = chance.pick(cities)
  const colour = chance.pick(colours)
  return {
    product,
    slug: toSlug(product),
    category,
    Category: category.charAt(0).toUpperCase() + category.slice(1),
    colour,
    otherColour: chance.pick(colours.filter((each) => each !== colour)),
    city,
    citySlug: toSlug(city),
    order: `FW-${chance.between(204_000, 239_999)}`,
    voucher: chance.pick(['AUTUMN10', 'WELCOME5', 'MOVING15', 'FRIENDS20']),
    weeks: String(chance.between(3, 7)),
    count: String(chance.between(12, 89)),
    step: String(chance.between(3, 9)),
    letter: chance.pick(['A', 'B', 'C', 'F', 'K']),
    room: chance.next().toString(36).slice(2, 10),
    roomName: chance.pick(roomNames),
  }
}

export function hasSlots(text: string): boolean {
  return /\{\w+\}/.test(text)
}

/** @throws Error naming a slot that does not exist. */
export function fillSlots(text: string, slots: Slots): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = slots[name]
    if (value === undefined) throw new Error(`The demo's texts name a slot {${name}} that does not exist.`)
    return value
  })
}

function toSlug(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z\s]/g, '')
    .trim()
    .replace(/\s+/g, '-')
}
