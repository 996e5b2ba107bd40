export { snapdom } from '@zumer/snapdom'
