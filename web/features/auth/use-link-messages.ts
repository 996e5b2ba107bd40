import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { toast } from '#web/ui/toast.tsx'
import { describeLinkError, findLinkError, findLinkSuccess, type LinkError, removeSpoken } from './link-messages.ts'

/**
 * Shows the message of a redirect once and removes it from the URL. `onResend` resends an expired link's email; without
 * it, the toast has no such action.
 */
export function useLinkMessages(onResend?: (error: LinkError) => void) {
  const { search, hash, pathname, state } = useLocation()
  const navigate = useNavigate()
  const [hasSpoken, setSpoken] = useState(false)
  const resend = useRef(onResend)
  resend.current = onResend
  useEffect(() => {
    const error = findLinkError({ search, hash })
    const success = findLinkSuccess(search)
    if (error) toast(describeLinkError(error, resend.current && (() => resend.current?.(error))))
    else if (success) toast(success)
    setSpoken(true)
    if (error || success) navigate({ pathname, search: removeSpoken(search), hash: '' }, { replace: true, state })
  }, [search, hash, pathname, state, navigate])
  return { hasSpoken }
}
