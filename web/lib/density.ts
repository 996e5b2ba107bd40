import { createDeviceChoice } from './device-choice.ts'
import { storageKeys } from './storage.ts'

/** How close the rows of lists are, on this device. Styles use the variant `dense:` for `compact`. */
export type Density = 'comfortable' | 'compact'

/** Runs before the first paint, so that no row changes its height. */
export const densityScript = `try{if(localStorage.getItem('${storageKeys.density}')==='compact')document.documentElement.dataset.density='compact'}catch(e){}`

export const { set: setDensity, useValue: useDensity } = createDeviceChoice<Density>({
  storageKey: storageKeys.density,
  attribute: 'density',
  values: ['comfortable', 'compact'],
})
