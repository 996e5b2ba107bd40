import { describe, expect, it } from 'vitest'
import { confirmSubscription } from './confirm-subscription.ts'

function createCaller(status: number) {
  const urls: string[] = []
  const request = async ({ url }: { url: string }) => {
    urls.push(url)
    return { status, headers: {}, body: Buffer.alloc(0), isCut: false, durationMs: 1 }
  }
  return { urls, outbound: { request } }
}
const url = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=abc'
const message = (address: unknown) => ({ Type: 'SubscriptionConfirmation', SubscribeURL: address })

describe('confirmSubscription', () => {
  it('opens the address of Amazon SNS', async () => {
    const { urls, outbound } = createCaller(200)
    expect(await confirmSubscription(outbound, message(url))).toBe(true)
    expect(urls).toEqual([url])
  })

  it.each([
    'http://sns.eu-west-1.amazonaws.com/',
    'https://sns.eu-west-1.amazonaws.com.evil.example/',
    'https://sns.eu-west-1.amazonaws.com:8443/',
    'https://s3.eu-west-1.amazonaws.com/',
    'https://evil.example/?sns.eu-west-1.amazonaws.com',
    'https://sns.eu-west-1.amazonaws.com@evil.example/',
    'file:///etc/passwd',
    '',
    undefined,
    {},
  ])('opens no other address: %j', async (address) => {
    const { urls, outbound } = createCaller(200)
    await expect(confirmSubscription(outbound, message(address))).rejects.toThrow('Some values are not valid')
    expect(urls).toEqual([])
  })

  it('says when the address refuses, so that SNS asks again', async () => {
    await expect(confirmSubscription(createCaller(403).outbound, message(url))).rejects.toThrow(
      'Some values are not valid',
    )
  })

  it('leaves other messages alone', async () => {
    const { urls, outbound } = createCaller(200)
    for (const other of [null, 1, [], {}, { Type: 'Notification', SubscribeURL: url }]) {
      expect(await confirmSubscription(outbound, other)).toBe(false)
    }
    expect(urls).toEqual([])
  })
})
