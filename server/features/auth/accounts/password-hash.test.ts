import { describe, expect, it } from 'vitest'
import { hashPassword, isPasswordCorrect, renewPasswordHash } from './password.ts'
import { checkHash, createDecoyHash, isDatedHash, isUsableHash, ownDecoyHash, readHashKind } from './password-hash.ts'
import { createTurnstile } from './turnstile.ts'

// Published vectors: crypt_blowfish’s, those of the argon2 reference implementation, and Firebase’s own example.
const vectors: [string, string, string][] = [
  ['bcrypt 2a', 'U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['bcrypt 2b', 'U*U', '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['bcrypt 2y', 'U*U*U', '$2y$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'],
  ['argon2i', 'password', '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA'],
  ['argon2id', 'password', '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'],
  [
    'Firebase scrypt',
    'user1password',
    '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  ],
]

describe('an imported hash', () => {
  it.each(vectors)('of %s matches its password and no other', async (_name, password, hash) => {
    expect(isUsableHash(hash)).toBe(true)
    expect(isDatedHash(hash)).toBe(true)
    expect(await checkHash(password, hash)).toBe(true)
    expect(await checkHash(`${password} `, hash)).toBe(false)
    expect(await checkHash('', hash)).toBe(false)
    const renewed = (await renewPasswordHash(password, hash)) ?? ''
    expect(isDatedHash(renewed)).toBe(false)
    expect(await isPasswordCorrect(password, renewed)).toBe(true)
  })

  it.each([
    '',
    'x',
    'password',
    '$2b$15$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
    '$2b$03$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
    '$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
    '$2b$05$CCCCCCCC',
    '$argon2id$v=19$m=4194304,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    '$argon2id$v=19$m=65536,t=99,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    '$argon2id$v=16$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    '$fbscrypt$v=1,n=30,r=8,p=1,ss=Bw==,sk=jxsp$42xE$lSrf',
    '$fbscrypt$v=1,n=0,r=0,p=0,sk=jxsp$42xE$lSrf',
  ])('%s is not usable, and matches no password', async (hash) => {
    expect(isUsableHash(hash)).toBe(false)
    expect(await checkHash('password', hash)).toBe(false)
    expect(await isPasswordCorrect('password', hash)).toBe(false)
  })

  it('is not renewed with a password longer than the hashed part', async () => {
    const hash = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
    expect(await renewPasswordHash('x'.repeat(73), hash)).toBeUndefined()
  })
})

describe('a hash of our own', () => {
  it('is not renewed', async () => {
    const hash = await hashPassword('correct horse')
    expect(isUsableHash(hash)).toBe(true)
    expect(await renewPasswordHash('correct horse', hash)).toBeUndefined()
  })
})

describe('a decoy', () => {
  it.each(vectors)('of %s costs the same and matches no password', async (_name, password, hash) => {
    const decoy = createDecoyHash(readHashKind(hash) ?? '') ?? ''
    expect(readHashKind(decoy)).toBe(readHashKind(hash))
    expect(await isPasswordCorrect(password, undefined, decoy)).toBe(false)
    expect(await isPasswordCorrect(password, null, decoy)).toBe(false)
  })

  it('is of our own kind by default, and undefined for an unknown kind', () => {
    expect(isDatedHash(ownDecoyHash)).toBe(false)
    expect(isUsableHash(ownDecoyHash)).toBe(true)
    expect(createDecoyHash('$md5$')).toBeUndefined()
  })
})

describe('a turnstile', () => {
  it('runs a limited number of tasks at a time, in order, and continues after a failure', async () => {
    const pass = createTurnstile(2)
    let [inside, most] = [0, 0]
    const done: number[] = []
    const all = Array.from({ length: 9 }, (_, n) =>
      pass(async () => {
        inside += 1
        most = Math.max(most, inside)
        await new Promise((resolve) => setTimeout(resolve, 5))
        inside -= 1
        done.push(n)
        if (n % 3 === 0) throw new Error('on purpose')
      }).catch(() => {}),
    )
    await Promise.all(all)
    expect(most).toBe(2)
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })
})
