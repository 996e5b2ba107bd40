/*
 * What the stages that deliver use instead of the page's objects of these names, which it may replace or remove. The build
 * puts them in place of the names (`scripts/widget-build/bundle-stage.ts`), so that the sources say just `JSON`.
 */

/** The browser's own, whatever the page has put in its place: async functions return no other. */
const OwnPromise = /* @__PURE__ */ (() => (async () => {})().constructor as PromiseConstructor)()

/** An empty frame, which has an unchanged window of the page's origin and content security policy. */
export function openFrame(onLoad?: (frame: HTMLIFrameElement) => void): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'display:none!important'
  frame.onload = () => onLoad?.(frame)
  document.documentElement.append(frame)
  return frame
}

/** A frame in the document has a window. */
export const windowOf = (frame: HTMLIFrameElement) => frame.contentWindow as typeof window

function loadJson(): JSON {
  const frame = openFrame()
  const { JSON: clean } = windowOf(frame)
  frame.remove()
  return clean
}

/**
 * As it was when the stage was loaded. Older versions of Prototype.js and MooTools give arrays a `toJSON` that writes a
 * list as a text, which the server would refuse.
 */
const OwnJson = /* @__PURE__ */ (() => {
  const { parse, stringify } = window.JSON ?? loadJson()
  // The list itself, whatever its `toJSON` has written.
  const keepLists = function (this: Record<string, unknown>, key: string, written: unknown) {
    const given = this[key]
    return Array.isArray(given) ? given : written
  }
  return { parse, stringify: (value: unknown) => stringify(value, 'toJSON' in [] ? keepLists : undefined) }
})()

export { OwnJson as JSON, OwnPromise as Promise }
