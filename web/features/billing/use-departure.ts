import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'

/**
 * Leaves for a page of Stripe. It is under way until this page is left; someone who comes back by the browser's button finds it
 * as it was before.
 *
 * @param findUrl null: there is no page to go to.
 */
export function useDeparture(findUrl: () => Promise<{ url: string | null }>) {
  const { mutate, reset, error, isPending, isSuccess } = useMutation({
    mutationFn: findUrl,
    networkMode: 'always',
    onSuccess: ({ url }) => {
      if (url !== null) window.location.assign(url)
    },
  })
  useEffect(() => {
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reset()
    }
    window.addEventListener('pageshow', comeBack)
    return () => window.removeEventListener('pageshow', comeBack)
  }, [reset])
  return { leave: () => mutate(), isLeaving: isPending || isSuccess, error }
}
