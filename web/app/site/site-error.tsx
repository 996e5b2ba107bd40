import { useRouteError } from 'react-router'
import { ErrorScreen, InFrame } from '../error-screens.tsx'

/** The error of a public page, between the site's header and footer. */
export function SiteError() {
  return (
    <InFrame>
      <ErrorScreen error={useRouteError()} />
    </InFrame>
  )
}
