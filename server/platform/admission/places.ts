/** Places for connections that stay open: so many for each owner, and so many in this process. */
export interface Places {
  /** @returns frees the place, once; or why there is none. */
  take(owner: string): (() => void) | 'owner_full' | 'full'
}

export function createPlaces(limits: { readonly perOwner: number; readonly inAll: number }): Places {
  const countByOwner = new Map<string, number>()
  let inAll = 0
  return {
    take: (owner) => {
      const own = countByOwner.get(owner) ?? 0
      if (own >= limits.perOwner) return 'owner_full'
      if (inAll >= limits.inAll) return 'full'
      countByOwner.set(owner, own + 1)
      inAll += 1
      let isFree = false
      return () => {
        if (isFree) return
        isFree = true
        inAll -= 1
        const left = (countByOwner.get(owner) ?? 0) - 1
        if (left > 0) countByOwner.set(owner, left)
        else countByOwner.delete(owner)
      }
    },
  }
}
