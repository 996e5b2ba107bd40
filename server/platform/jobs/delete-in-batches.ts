const batchSize = 2_000
// Two million rows. The rest follows with the next run: no run lasts for hours.
const maxBatches = 1_000

/**
 * Deletes many rows a few at a time, each batch in a transaction of its own, so that no lock is held for long.
 *
 * @param deleteBatch deletes at most `limit` rows and says how many it deleted.
 * @returns how many were deleted in all.
 */
export async function deleteInBatches(deleteBatch: (limit: number) => Promise<number>): Promise<number> {
  let total = 0
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const deleted = await deleteBatch(batchSize)
    total += deleted
    if (deleted < batchSize) break
  }
  return total
}
