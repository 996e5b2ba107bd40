import { template } from './template.ts'

const codeIntro = 'If a screen asks for a code, enter this one:'
const requested = 'Requested on {{time}}, in {{browser}}{{network}}.'

const recipient = { email: 'The recipient’s address' } as const
const life = { validity: 'How long link and code work' } as const
const requester = {
  time: 'When it was requested, in UTC',
  browser: 'Browser and system of the request, or “an unknown browser”',
  networkAddress: 'Shortened network address of the request',
} as const
const network = {
  when: 'the network of the request is known',
  words: ', from the network {{networkAddress}}',
} as const
const cancelledSignUp = {
  when: 'the request cancels an earlier sign-up with the address',
  words: 'This cancels an earlier sign-up with this address: its password and its confirmation email no longer work.',
} as const

export const confirmSignUp = template('confirm_sign_up', {
  group: 'sign_in',
  title: 'Confirmation of a sign-up',
  sentence: 'Sent to someone who signs up, to prove that the address is theirs.',
  variables: { ...recipient, ...life, ...requester },
  phrases: { network, cancelledSignUp },
  words: {
    subject: 'Confirm your email address for {{product}}',
    preview: 'One click and your {{product}} account is ready.',
    title: 'Confirm your email address',
    paragraphs: ['Welcome to {{product}}. Confirm {{email}} to finish your sign-up.'],
    codeIntro,
    button: 'Confirm email address',
    notes: [
      requested,
      '{{cancelledSignUp}}',
      'The link and the code work once, for {{validity}}. Open the link in the browser in which you signed up.',
      'Didn’t sign up? Don’t open the link. Someone else may have entered your address.',
    ],
  },
})

export const magicLink = template('magic_link', {
  group: 'sign_in',
  title: 'Sign-in link',
  sentence: 'Sent to someone who asks to sign in without a password.',
  variables: { ...recipient, ...life, ...requester },
  phrases: { network },
  words: {
    subject: 'Your sign-in link for {{product}}',
    preview: 'One click signs you in. No password needed.',
    title: 'Sign in to {{product}}',
    paragraphs: ['Here is the link you requested. It signs you in as {{email}}, without a password.'],
    codeIntro,
    button: 'Sign in',
    notes: [
      requested,
      'The link and the code work once, for {{validity}}. Open the link in the browser in which you requested it. Don’t forward this email: anyone who has the link can sign in.',
      'Didn’t request this? You can ignore this email: no one can sign in without it.',
    ],
  },
})

export const recovery = template('recovery', {
  group: 'sign_in',
  title: 'Password reset',
  sentence: 'Sent to someone who asks to reset their password.',
  variables: { ...recipient, ...life, ...requester },
  phrases: {
    network,
    cancelledSignUp,
    oldPassword: { when: 'the account has a password that works', words: 'The old one works until you do.' },
  },
  words: {
    subject: 'Reset your {{product}} password',
    preview: 'Choose a new password for your account.',
    title: 'Choose a new password',
    paragraphs: [
      'Someone, hopefully you, asked to reset the password of {{email}}. Choose a new one here. {{oldPassword}}',
    ],
    codeIntro,
    button: 'Choose a new password',
    notes: [
      requested,
      '{{cancelledSignUp}}',
      'The link and the code work once, for {{validity}}. Open the link in the browser in which you requested it.',
      'Didn’t request this? You can ignore this email: no one can choose a password without it.',
    ],
  },
})

export const invite = template('invite', {
  group: 'sign_in',
  title: 'Invitation by an administrator',
  sentence: 'Sent to someone for whom an administrator of the instance created an account.',
  variables: { ...recipient, ...life, time: requester.time },
  words: {
    subject: 'Your invitation to {{product}}',
    preview: 'Your account is ready.',
    title: 'You are invited to {{product}}',
    paragraphs: [
      'An administrator of {{host}} invited {{email}} on {{time}}. Accept the invitation to use your account.',
      'With {{product}}, a team reads and answers feedback from its website’s visitors.',
    ],
    codeIntro,
    button: 'Accept invitation',
    notes: [
      'The link and the code work once, for {{validity}}.',
      'Not expecting this? You can ignore this email: the account can’t be used until you accept.',
    ],
  },
})

export const emailChangeNew = template('email_change_new', {
  group: 'sign_in',
  title: 'Change of address, to the new address',
  sentence: 'Sent to the new address when someone changes the address of their account.',
  variables: { ...recipient, ...life, ...requester },
  phrases: {
    network,
    bothConfirm: {
      when: 'the current address has to confirm as well',
      words:
        'We sent an email like this one to your current address. Both links must be confirmed before you can sign in with the new address.',
    },
    oneConfirms: {
      when: 'only the new address has to confirm',
      words: 'Once it is confirmed, use it to sign in.',
    },
  },
  words: {
    subject: 'Confirm your new email address for {{product}}',
    preview: 'One click confirms that this address is yours.',
    title: 'Confirm your new email address',
    paragraphs: [
      'You asked to use {{email}} for your {{product}} account. Confirm that this address is yours.',
      '{{bothConfirm}}{{oneConfirms}}',
    ],
    codeIntro,
    button: 'Confirm new address',
    notes: [
      requested,
      'The link and the code work once, for {{validity}}. Open the link in the browser in which you requested the change.',
      'Didn’t request this? You can ignore this email.',
    ],
  },
})

export const emailChangeCurrent = template('email_change_current', {
  group: 'sign_in',
  title: 'Change of address, to the current address',
  sentence: 'Sent to the current address when someone changes the address of their account.',
  variables: {
    ...{ ...recipient, ...life, ...requester },
    newEmail: 'The new address',
    resetUrl: 'Address of the page that resets a password',
  },
  phrases: { network },
  words: {
    subject: 'Confirm the change of your {{product}} email address',
    preview: 'Confirm the move of your account to {{newEmail}}.',
    title: 'Confirm the change of your email address',
    paragraphs: [
      'You asked to change the address of your {{product}} account from {{email}} to {{newEmail}}. Confirm that this is what you want.',
      'We sent an email like this one to the new address. Both links must be confirmed.',
    ],
    codeIntro,
    button: 'Confirm the change',
    notes: [
      requested,
      'The link and the code work once, for {{validity}}. Open the link in the browser in which you requested the change.',
      'Didn’t request this? Don’t confirm it. Someone may be signed in as you: choose a new password at {{resetUrl}}.',
    ],
  },
})

export const reauthentication = template('reauthentication', {
  group: 'sign_in',
  title: 'Confirmation code',
  sentence: 'Sent to someone who is signed in and makes an important change, such as a new password.',
  variables: {
    ...{ ...recipient, ...requester },
    validity: 'How long the code works',
    resetUrl: 'Address of the page that resets a password',
  },
  phrases: { network },
  words: {
    // Without the code: subjects are kept, and are shown on locked screens.
    subject: 'Your {{product}} confirmation code',
    preview: 'Enter it on the page that asks for it.',
    title: 'Your confirmation code',
    paragraphs: ['You are about to change something important in the account of {{email}}. Confirm that it is you.'],
    codeIntro: 'Enter this code on the page that asks for it:',
    notes: [
      requested,
      'The code works once, for {{validity}}. Don’t share it: no one at {{product}} will ever ask for it.',
      'Didn’t request this? Someone may be signed in as you: choose a new password at {{resetUrl}}.',
    ],
  },
})

export const passwordChanged = template('password_changed', {
  group: 'sign_in',
  title: 'Password changed',
  sentence: 'Sent to someone whose password was changed.',
  variables: { ...recipient, time: 'When it was changed, in UTC' },
  words: {
    subject: 'Your {{product}} password was changed',
    preview: 'No action needed if this was you.',
    title: 'Your password was changed',
    paragraphs: [
      'The password of {{email}} was changed on {{time}}. If this was you, no action is needed.',
      'If it wasn’t you, choose a new password now. This signs out all other devices.',
    ],
    button: 'Reset password',
    notes: [],
  },
})

export const emailChanged = template('email_changed', {
  group: 'sign_in',
  title: 'Address changed',
  sentence: 'Sent to the previous address of an account whose address was changed.',
  variables: { ...recipient, newEmail: 'The new address', time: 'When it was changed, in UTC' },
  words: {
    subject: 'Your {{product}} email address was changed',
    preview: 'Your account now belongs to {{newEmail}}.',
    title: 'Your email address was changed',
    paragraphs: [
      'Your {{product}} account moved from {{email}} to {{newEmail}} on {{time}}. Sign in with the new address from now on. This address gets no more emails.',
      'If it wasn’t you, contact the administrator of {{host}} immediately and change the password of this mailbox.',
    ],
    notes: [],
  },
})
