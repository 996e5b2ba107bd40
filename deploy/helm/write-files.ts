/*
 * Writes what is made from the chart and from the list of settings: deploy/kubernetes and the chart's values.schema.json.
 * Run: node deploy/helm/write-files.ts
 */
import { writeFile } from 'node:fs/promises'
import { renderFiles } from './render.ts'

for (const [path, text] of Object.entries(await renderFiles())) await writeFile(path, text)
