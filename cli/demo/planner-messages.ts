import type { DemoPage, Messages } from './message.ts'

export const plannerPages: Readonly<Record<string, DemoPage>> = {
  start: { path: '/', title: 'Room planner' },
  room: { path: '/rooms/{room}', title: '{roomName} – Room planner' },
  view3d: { path: '/rooms/{room}/3d', title: '{roomName} in 3D – Room planner' },
  share: { path: '/rooms/{room}/share', title: 'Share {roomName} – Room planner' },
  gallery: { path: '/gallery/{citySlug}', title: 'Rooms from {city} – Room planner' },
}

export const plannerMessages: Messages = {
  bug: {
    start: [
      'Planner stays at 96 % when loading. Reloading helps every third time.',
      'My saved rooms are gone since this morning. The list says “You have no rooms yet”, and I have {count}.',
    ],
    room: [
      'Undo removes the last two steps instead of one. I then redo one and have a {product} more than before.',
      'When I type 3,45 as the width, the wall becomes 345 metres long. Comma instead of point, I suppose.',
      'The {product} cannot be turned to the wall: it snaps to 45° and then stays slanted.',
      'Doors open into the {product} and the planner says nothing. In the real bedroom they did too.',
      'Pinch to zoom also scrolls the page on my phone. The {roomName} disappears upwards.',
      'Saving “{roomName}” says saved, but after reloading it is the version of yesterday.',
      'Walls that are not at right angles get straightened on save. Our house is from 1780 and has no right angle at all.',
      'Deleting the {product} with Backspace goes back in the browser and everything is lost. Please, please fix.',
      'Rotating with the R key stops working after I rename the room ({roomName}), because the cursor is still in the field somewhere.',
      'windows are placed 10cm too low when i switch from cm to inches and back',
      'On a 4K screen the toolbar is tiny, I need my glasses and my wife.',
    ],
    view3d: [
      '3D view is black. Graphics card is old but shows everything else (Intel HD 4000, WebGL 1 only).',
      'The fan of my laptop goes to full speed in 3D even when nothing moves.',
      'The {product} floats a hand above the floor in 3D.',
      'Light comes through the closed wall in “evening” mode.',
      'Walking mode: if I go through the {product} I fall out of the house and cannot get back.',
    ],
    share: [
      'The shared link of “{roomName}” shows an older state than mine. My sister keeps talking about a sofa that I removed on Monday.',
      'PDF export cuts the right edge of the {roomName}, and with it the dimensions.',
      'Printing gives {count} empty pages before the plan.',
    ],
    gallery: ['Gallery pictures from {city} are stretched on a narrow window.'],
  },
  idea: {
    start: ['Start me in the room that I had open last, not on this page.'],
    room: [
      'Let me type exact distances to the wall. I drag the {product} for minutes to get from 52 to 50 cm.',
      'A pitched roof, please! Every planner forgets people under the roof.',
      'Sockets and radiators would make this a tool I could give to our electrician.',
      'Could several of us edit {roomName} at the same time? At the moment we send each other screenshots.',
      'Copy a room. I want to try the {product} against the other idea without destroying the first.',
      'Show the price of the {roomName} as it grows. It would keep me honest.',
      'More floors than {count}, e.g. herringbone. It changes everything about how {colour} looks.',
      'An own-furniture block where I enter only width, depth and height. My piano is not in your catalogue.',
      'Grid that can be switched off, with a key. G perhaps?',
    ],
    view3d: [
      'Sun position by date and city: I would like to know whether the {product} stands in the sun in {city} in June.',
      'Save camera positions so that I can show the same view of the {roomName} before and after.',
      'Could you show a person for scale? And a cat, if there is a choice.',
    ],
    share: [
      'A shopping list next to the plan, with everything that is not yet bought.',
      'Comments on a shared plan. My mother has many and I would rather have them written.',
      'Export as DXF or SVG for my carpenter, he does not want a picture.',
    ],
  },
  question: {
    start: ['Do I need an account to keep my rooms, or are they kept in this browser? And for how long?'],
    room: [
      'Can I enter the ceiling height for each side? Ours goes from 1{count} cm to a bit over three metres.',
      'Is the {product} in the planner with or without the cushions? They add a good 10 cm.',
      'How do I delete a wall? I have drawn one through the middle of {roomName} and now live with it.',
      'Which measure counts for the {product}: the frame or the outer edge?',
    ],
    view3d: ['Does the 3D view work with a headset? I have one at work.'],
    share: ['If I share “{roomName}”, can the others change it or only look?'],
  },
  praise: {
    start: ['I planned our whole flat in one evening and enjoyed it. When does that ever happen?'],
    room: [
      'This planner saved us from a very expensive mistake. The {product} would have blocked the door to the balcony.',
      'Snapping feels just right since the last update.',
      'My son (9) has furnished the {roomName} with eleven beds. Thank you for a quiet Sunday.',
      'Works perfectly on an old iPad. Respect.',
    ],
    view3d: ['The evening light in {colour} sold us the {product}. Beautiful work.'],
    share: ['Sent the plan to the movers in {city}, and they put every piece where it belongs. Brilliant.'],
  },
  other: {
    room: ['Using this to plan a stage set for our amateur theatre in {city}. I hope that is allowed!'],
    gallery: [
      'The third picture from {city} is our living room. We did say yes to that, but could you blur the photo on the wall?',
    ],
  },
}
