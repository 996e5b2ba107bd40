import { execFileSync } from 'node:child_process'

const usualSize = '1500m'

/** Mounts a small file system. @returns whether this user may. */
export function mountSmallDisk(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${usualSize},mode=755`, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export function unmountSmallDisk(folder: string): void {
  execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' })
}

/** Makes it as large as it was, or as given: `1500m`, or bytes. @throws when it holds more. */
export function resizeSmallDisk(folder: string, size = usualSize): void {
  execFileSync('mount', ['-o', `remount,size=${size}`, folder], { stdio: 'pipe' })
}
