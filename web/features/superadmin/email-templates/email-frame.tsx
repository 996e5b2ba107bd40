import { useEffect, useMemo, useRef } from 'react'
import { cn } from '#web/ui/class-names.ts'

const darkQuery = /@media \(prefers-color-scheme: dark\)/

interface EmailFrameProps {
  html: string
  isDark: boolean
  isNarrow: boolean
}

/**
 * An email in a frame without scripts. The page's policy refuses its `<style>`, so its rules are applied through the
 * frame's document; that is also how it is light or dark whatever the reader's system is.
 */
export function EmailFrame({ html, isDark, isNarrow }: EmailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const { body, rules } = useMemo(() => takeStyle(html), [html])
  const applied = rules
    .replace(darkQuery, isDark ? '@media all' : '@media not all')
    .replace(/color-scheme: light dark/g, `color-scheme: ${isDark ? 'dark' : 'light'}`)

  useEffect(() => {
    const shown = frame.current
    if (!shown) return
    const apply = () => {
      const inner = shown.contentDocument
      // A sheet belongs to the document whose window made it; a window's type lacks its classes.
      const Sheet = (shown.contentWindow as (Window & typeof globalThis) | null)?.CSSStyleSheet
      if (!inner || !Sheet) return
      const sheet = new Sheet()
      sheet.replaceSync(applied)
      inner.adoptedStyleSheets = [sheet]
    }
    apply()
    shown.addEventListener('load', apply)
    return () => shown.removeEventListener('load', apply)
  }, [applied])

  return (
    <div className="overflow-x-auto rounded-lg border border-border bg-sunken">
      <iframe
        ref={frame}
        title="Email"
        // Its document is read and styled from here; links and scripts in it do nothing.
        sandbox="allow-same-origin"
        srcDoc={body}
        className={cn('mx-auto block h-160 bg-white', isNarrow ? 'w-96 max-w-full' : 'w-full')}
      />
    </div>
  )
}

/** The email without its `<style>`, and the rules of that. Its links would open windows, which the frame refuses. */
function takeStyle(html: string): { body: string; rules: string } {
  const found = /<style>([\s\S]*?)<\/style>/.exec(html)
  // Text is escaped: every `<a` is an element.
  const body = html.replace(found?.[0] ?? '', '').replaceAll('<a ', '<a target="_blank" ')
  return { body, rules: found?.[1] ?? '' }
}
