export { choose as pickElement } from './pick.ts'
export { grabPixels as captureRealPixels } from './real-pixels.ts'
