import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin, transform } from 'esbuild'
import { minify } from 'terser'
import { patchRecorder } from './patch-recorder.ts'

/** The engines that the stages are written for; style sheets are lowered to them too. */
const target = ['es2022', 'chrome100', 'firefox101', 'safari15.4']

/** Bundles style sheets as minified text, since they become constructed sheets. */
const cssText: Plugin = {
  name: 'css-text',
  setup(builder) {
    builder.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true, target })
      return { contents: code.trim(), loader: 'text' }
    })
  },
}

/** Stages that pack smaller with functions hoisted, and with functions of a single use not inlined: measured. */
const hoisted = /\/(panel|actions|tools|transport|capture)\.tsx?$/
const whole = /\/(actions|tools|transport|capture)\.ts$/

/** Stages that must work on pages that have replaced the browser's objects: on the way of a text, in every project. */
const delivering = /\/(panel|actions|tools|transport|proof)\.tsx?$/

/** One stage with everything it imports, minified by two minifiers, which find different savings. */
export async function bundleStage(root: string, entry: string, format: 'iife' | 'esm'): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format,
    target,
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // Types are Preact's; what draws is ours, for its size.
    alias: { 'preact/jsx-runtime': join(root, 'widget/panel/render.ts') },
    inject: delivering.test(entry) ? [join(root, 'widget/natives.ts')] : [],
    plugins: [cssText, patchRecorder],
    logLevel: 'warning',
    // A classic script says "use strict" when it is told that its sources do; nothing in it depends on that.
    ...(format === 'iife' && { tsconfigRaw: { compilerOptions: { strict: false, alwaysStrict: false } } }),
  })
  const text = outputFiles?.[0]?.text
  if (text === undefined) throw new Error(`${entry} gave no output`)
  const { code } = await minify(text, {
    ecma: 2020,
    module: format === 'esm',
    compress: {
      passes: 3,
      unsafe_arrows: true,
      hoist_funs: hoisted.test(entry),
      reduce_funcs: !whole.test(entry),
      // Measured: the loader packs smaller with the first, the stages with the second.
      ...(format === 'iife' ? { booleans_as_integers: true, hoist_funs: false, inline: 1 } : { sequences: false }),
    },
    format: { comments: false },
  })
  if (code === undefined) throw new Error(`${entry} could not be minified`)
  return code
}
