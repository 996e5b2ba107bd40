import { type RefObject, useEffect, useLayoutEffect } from 'react'
import { findClearTop } from './clear-top.ts'

/** Below the bar at the top. */
const startPixels = 56
/** Menus open and banners come while a toast is there. */
const lookAgainMs = 200

/** Controls that are in use: the focused one, open menus, and what says of itself that it must stay in reach. */
const inUse = '[data-keep-clear], [data-radix-popper-content-wrapper]'
const control = 'a, button, input, select, textarea, [role="textbox"]'

/**
 * Keeps a toast off the controls in use, by its place from the top. It never moves under a pointer or with the focus in
 * it.
 */
export function useClearTop(viewport: RefObject<HTMLElement | null>, isShown: boolean): void {
  useLayoutEffect(() => {
    if (isShown) place(viewport.current)
  }, [viewport, isShown])
  useEffect(() => {
    if (!isShown) return
    const timer = setInterval(() => place(viewport.current), lookAgainMs)
    return () => clearInterval(timer)
  }, [viewport, isShown])
}

function place(viewport: HTMLElement | null): void {
  const toast = viewport?.firstElementChild
  if (!viewport || !toast || viewport.matches(':hover, :focus-within')) return
  const { left, right, height } = toast.getBoundingClientRect()
  const focused = document.activeElement?.matches(control) ? [document.activeElement] : []
  const boxes = [...document.querySelectorAll(inUse), ...focused].map((element) => element.getBoundingClientRect())
  const padding = Number.parseFloat(getComputedStyle(viewport).paddingTop)
  const top = findClearTop({ left, right, height }, boxes, startPixels + padding, window.innerHeight) - padding
  viewport.style.top = `${top}px`
}
