import type { FeedbackType } from '#contract/feedback.ts'
import type { DemoFileName } from './demo-files.ts'
import type { DemoMessage } from './message.ts'

/** Messages with a picture, a recording or a file: the text fits the file, so it has no random parts. */
export const shopAttached: readonly DemoMessage[] = [
  ...say('bug', 'basket', ['basketVoucher'], {}, [
    'The voucher is accepted and then not taken off the total. 1,376.00 and 49.00 less 137.60 should be 1,287.40.',
    'AUTUMN10 says “accepted”, the line with the discount is there, and the total is still 1,425.00. See my arrow.',
    'Discount shown but not subtracted.',
    'Was about to pay 1,425.00 although my voucher takes 137.60 off. I only noticed because I added it up by hand.',
  ]),
  ...say('bug', 'payment', ['paymentFails'], { isOutage: true }, [
    'P-502, again and again, here is a picture. I blacked out my card, I hope that is all right.',
    'This is what I get instead of two bookcases.',
    'Payment could not be completed, says the page. It does not say whether to wait or to give up.',
  ]),
  ...say('bug', 'payment', ['paymentFails'], {}, [
    'Payment failed twice with P-502, the third time it worked. My bank shows one reservation too many.',
    'P-502 on paying. The same card worked here last month.',
  ]),
  ...say('bug', 'basket', ['basketEmpties'], {}, [
    'One chair becomes two, and then everything is gone. I have recorded it for you.',
    'Pressing + next to the chair throws the whole basket away. Recording attached; it happens every time.',
    'Basket empties itself when I change a quantity (see the video at 0:03).',
  ]),
  ...say('bug', 'delivery', ['postcodeRefused'], {}, [
    'My postcode is not valid, says your form. With a space, without a space, three times. We do exist!',
    'Cannot get past the delivery page: it refuses a postcode that has been ours since 1974.',
    'The form marks the postcode red whatever I type. I have sent the last minute along, as your button offered.',
  ]),
  ...say('question', 'order', ['deliveryWindow'], {}, [
    'Two delivery windows for one desk, I have explained it in the voice note.',
    'Which of the two times is right? Easier said than typed, so please listen.',
  ]),
  ...say('bug', 'product', ['consoleText'], { slots: { product: 'Isla bedside table', slug: 'isla-bedside-table' } }, [
    'No price on this page when I come from the search engine. What the console says is in the file.',
    'The page has no price. I work with such things, so I saved the console for your developers.',
  ]),
]

const livingRoom = { roomName: 'Living room', product: 'Tarn sofa' }
const desk = { product: 'Rowan desk', slug: 'rowan-desk', step: '4' }

export const plannerAttached: readonly DemoMessage[] = [
  ...say('bug', 'view3d', ['floatingSofa'], { slots: livingRoom }, [
    'The Tarn sofa floats a hand above the floor in 3D. Its shadow knows better.',
    'Flying sofa in the evening view. Lovely, but I would like it on the floor.',
    'In 3D the sofa hangs in the air, in the plan everything is right.',
  ]),
  ...say('bug', 'room', ['phoneOverlap'], { slots: { roomName: 'Guest room' } }, [
    'On my phone the words at the top lie on top of each other, and so do the distances at the bottom.',
    'Cannot read the distances to the walls on a small screen, they run into one another.',
    'Furniture, Measures and Colours have become one word on my phone.',
  ]),
  ...say('bug', 'room', ['plannerUndo'], { slots: { roomName: 'Attic' } }, [
    'Undo takes back two moves instead of one. In the recording I press it once, and sofa and table both jump back.',
    'Undo goes too far, recorded it. I only wanted the sofa back, not the table.',
  ]),
]

export const helpAttached: readonly DemoMessage[] = [
  ...say('bug', 'article', ['missingDrawing'], { slots: desk }, [
    'The drawing for step 4 is only a grey box. It would be the one that I need.',
    'Step 4 says “the drawing shows it”. It does not.',
    'Picture of step 4 does not load, neither here nor on my phone.',
  ]),
  ...say('question', 'article', ['leftPanel'], { slots: desk }, [
    'My hands are full of panels, so I say it instead of typing it.',
    'A question about step 4, spoken.',
  ]),
  ...say('question', 'article', ['leftPanel', 'missingDrawing'], { slots: desk }, [
    'Which panel is the left one in step 4? Voice note and picture attached.',
  ]),
]

/** Texts to the same files; the first of them may be of today. */
function say(
  type: FeedbackType,
  page: string,
  files: readonly DemoFileName[],
  more: Pick<DemoMessage, 'slots' | 'isOutage'>,
  texts: readonly string[],
): DemoMessage[] {
  return texts.map((text, index) => ({
    type,
    page,
    text,
    files,
    isOfToday: index === 0 && more.isOutage !== true && files.length === 1,
    ...more,
  }))
}
