import { type ComponentProps, createContext, useContext, useState } from 'react'

const MainElement = createContext<HTMLElement | null>(null)

/**
 * The page's main landmark. Menus and popovers are portalled into it, so that people who navigate by landmarks find them.
 */
export function MainRegion(props: ComponentProps<'main'>) {
  const [main, setMain] = useState<HTMLElement | null>(null)
  return (
    <MainElement value={main}>
      <main ref={setMain} {...props} />
    </MainElement>
  )
}

/** Where to put what opens. It stays the same while something is open, which would close if it were moved. */
export function useMain(): HTMLElement | null {
  return useContext(MainElement)
}
