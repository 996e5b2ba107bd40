#!/usr/bin/env node
/*
 * The command of the npm package. Plain JavaScript for an old Node: under one that is too old for Earshot, npm fetches the
 * Node that Earshot is tested with, once, and the command runs under that.
 */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const { earshotNode } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
const oldestMajor = Number(earshotNode.split('.')[0])
const program = new URL('cli/earshot.js', import.meta.url)

if (Number(process.versions.node.split('.')[0]) >= oldestMajor) {
  // Caches compiled code: saves a third of the start time.
  module.enableCompileCache()
  await import(program.href)
} else runUnder(findNode())

/** @returns {string} path of the Node that npm keeps for this. */
function findNode() {
  const print = ['-p', 'process.execPath']
  const args = ['exec', '--yes', '--loglevel=error', `--package=node@${earshotNode}`, '--', 'node', ...print]
  try {
    const path = execFileSync('npm', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    }).trim()
    const version = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()
    if (Number(version.split('.')[0]) >= oldestMajor) return path
  } catch {
    // Without a network, or where install scripts are not allowed.
  }
  process.stderr.write(
    `earshot: Earshot runs on Node.js ${oldestMajor} or newer; this is ${process.version}, and npm could not fetch a newer one. Install Node.js ${oldestMajor}.\n`,
  )
  process.exit(1)
}

/** @param {string} node */
function runUnder(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  const signals = process.platform === 'win32' ? ['SIGINT'] : ['SIGINT', 'SIGTERM', 'SIGHUP']
  // The child decides when to end; this process only forwards signals and waits.
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}
