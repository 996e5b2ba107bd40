import { createContext as createReactContext, useContext } from 'react'
import { createContext, type RouterContextProvider } from 'react-router'
import type { PublicConfig } from '#contract/config.ts'
import type { SiteContent } from '#contract/site-content.ts'
import type { Backend } from './config.tsx'

/** What the server knows of one page view before it is rendered. */
export interface PageContext {
  /** Lets our own inline scripts run under the strict policy. */
  readonly scriptNonce: string | undefined
  readonly styleNonce: string | undefined
  readonly publicConfig: PublicConfig
  readonly siteContent: SiteContent
  /** Undefined: the page is rendered for more requests than one. */
  readonly request?: PageRequest | undefined
}

/** The request that a page is rendered for. */
export interface PageRequest {
  readonly id: string
  /** Told why the page could not be rendered. */
  readonly noteFailure: (error: unknown) => void
}

const pageContext = createContext<PageContext>()

export function setPageContext(context: RouterContextProvider, page: PageContext): void {
  context.set(pageContext, page)
}

export function getPageContext(context: Readonly<RouterContextProvider>): PageContext {
  return context.get(pageContext)
}

interface ServerParts extends Pick<PageContext, 'scriptNonce' | 'styleNonce'> {
  /** The text of the script that makes the first calls of a screen of the dashboard. */
  readonly writeEarlyCallsScript?: (path: string, backend: Backend) => string
  /** Markup that names the request, for a page that failed. */
  readonly requestNote?: string
}

/**
 * What only the server has while it renders. In the browser there are no nonces: it hides them, and doesn't need them.
 */
export const ServerPartsContext = createReactContext<ServerParts>({ scriptNonce: undefined, styleNonce: undefined })

export function useServerParts(): ServerParts {
  return useContext(ServerPartsContext)
}
