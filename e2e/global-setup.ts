import { startProduct } from './start-product.ts'

/** One real product for all browser tests: its own data, its own ports, started as `npm start` does. */
export default async function setUp(): Promise<() => Promise<void>> {
  const product = await startProduct({
    // All tests come from one address, which no visitor does.
    GOTRUE_RATE_LIMIT_OTP: '100000',
    GOTRUE_RATE_LIMIT_VERIFY: '100000',
    GOTRUE_RATE_LIMIT_TOKEN_REFRESH: '100000',
    GOTRUE_RATE_LIMIT_EMAIL_SENT: '100000',
    INGEST_RATE_PER_MINUTE: '100000',
  })
  // Playwright's workers are processes of their own and inherit the environment.
  process.env.EARSHOT_URL = product.url
  process.env.EARSHOT_MAIL_URL = product.mailUrl
  process.env.EARSHOT_DATA_DIR = product.dataDir
  process.env.EARSHOT_STRIPE_PORT = String(product.stripePort)
  return async () => {
    await product.stop()
  }
}
