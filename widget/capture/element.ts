import { escapeXml } from './escape-xml.ts'
import type { Shot } from './shot.ts'

/** Attributes that XML can hold, without those that load something or that the present state replaces. */
const kept = /^(?!on|src|_|xmlns|style$|value$|checked$|selected$|popover|loading)[a-z][\w.-]*$/i

/** Attributes as the page has them, and what was typed, ticked and selected; of a masked element only those that shape it. */
export function writeAttributes(element: HTMLInputElement, isHidden: boolean, hold: Shot['hold']): string {
  const { localName, type, value, attributes, baseURI } = element
  let text = ''
  for (const { name, value } of attributes) {
    const key = name.replace('xlink:', '')
    if (!kept.test(key) || (isHidden && !/^(class|id|type|dir)$/.test(key))) continue
    const isFile = key === 'href' && /image/i.test(localName) && !/^(#|data)/.test(value)
    text += ` ${key}="${isFile ? hold(new URL(value, baseURI).href, 'images') : escapeXml(value)}"`
  }
  if (isHidden) return text
  // Elements of that name in other namespaces have no type.
  if (localName === 'input' && type && type !== 'file') text += ` value="${escapeXml(value)}"`
  for (const state of ['checked', 'selected'] as const) {
    // Elements without these properties give undefined.
    if ((element as HTMLInputElement & { selected?: boolean })[state]) text += ` ${state}=""`
  }
  return text
}
