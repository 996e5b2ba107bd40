import { createContext as createReactContext, useContext } from 'react'
import { createContext, type RouterContextProvider } from 'react-router'
import type { PublicConfig } from '#contract/config.ts'

/** What the server knows of one page view before it is rendered. */
export interface PageContext {
  /** Lets our own inline scripts run under the strict policy. */
  readonly scriptNonce: string | undefined
  readonly styleNonce: string | undefined
  readonly publicConfig: PublicConfig
}

const pageContext = createContext<PageContext>()

export function setPageContext(context: RouterContextProvider, page: PageContext): void {
  context.set(pageContext, page)
}

export function getPageContext(context: Readonly<RouterContextProvider>): PageContext {
  return context.get(pageContext)
}

/** The nonces while rendering on the server. In the browser there are none: it hides them, and doesn't need them. */
export const NonceContext = createReactContext<Pick<PageContext, 'scriptNonce' | 'styleNonce'>>({
  scriptNonce: undefined,
  styleNonce: undefined,
})

export function useNonces() {
  return useContext(NonceContext)
}
