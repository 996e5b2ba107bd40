import { type ComponentProps, createContext, useContext, useState } from 'react'

const MainElement = createContext<HTMLElement | null>(null)

/**
 * The page's main part. Menus and small windows that open in it are put into it: whoever moves by landmarks would not
 * find them outside of them.
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
