import type { DemoPage, Messages } from './message.ts'

export const shopPages: Readonly<Record<string, DemoPage>> = {
  home: { path: '/', title: 'Fernwood – furniture that stays' },
  category: { path: '/c/{category}?sort=popular', title: '{Category} – Fernwood' },
  product: { path: '/p/{slug}', title: '{product} – Fernwood' },
  search: { path: '/search?q={category}', title: 'Search results – Fernwood' },
  basket: { path: '/basket', title: 'Your basket – Fernwood' },
  delivery: { path: '/checkout/delivery', title: 'Delivery – Fernwood' },
  payment: { path: '/checkout/payment', title: 'Payment – Fernwood' },
  order: { path: '/account/orders/{order}', title: 'Order {order} – Fernwood' },
  account: { path: '/account', title: 'Your account – Fernwood' },
  wishlist: { path: '/wishlist', title: 'Wish list – Fernwood' },
  store: { path: '/stores/{citySlug}', title: 'Fernwood {city}' },
}

/** Feedback from the afternoon on which the payment provider was down. */
export const outageMessages: Messages = {
  bug: {
    payment: [
      'Payment fails with "Something went wrong (P-502)". Tried two cards and both work everywhere else.',
      'cant pay?? spinner for 5 min then nothing. been trying since lunch',
      'Order button does nothing after the 3-D Secure step. My bank shows a reservation of the full amount, so please check that I am not charged twice.',
      'I pressed “Pay now” three times because nothing happened. Have I now bought three sofas? Please answer soon, I am getting nervous.',
      'P-502 on the payment page, for card and for PayPal. Basket number is in my account.',
      'Your checkout is down. Just so you know.',
      'Payment error again. I have a day off today so that I can do this. Is there a phone number?',
    ],
  },
}

export const shopMessages: Messages = {
  bug: {
    home: [
      'The big picture at the top covers the menu when I turn my tablet to portrait. I can see the word “Beds” but not press it.',
      'Cookie banner comes back on every single page, although I said no each time.',
      'The autumn sale banner still links to the summer sale, which is empty.',
      'Language switches back to English whenever I go to the home page. I picked Dutch four times now.',
    ],
    category: [
      'The price filter ignores the upper limit. I set 600 and the first {category} shown cost 1,149.',
      'If I open a product and go back, the list starts at the top again. With {count} {category} that gets tiring quickly.',
      'sorting by price puts “from 89” after 1200. looks like it sorts the text and not the number',
      'Filter “solid wood” also shows veneered pieces, e.g. the {product}.',
      'On my phone the filter panel can be opened but not closed. The x is under the clock.',
    ],
    product: [
      'The picture of the {product} in {colour} shows the {otherColour} one. Almost ordered the wrong thing.',
      'Measurements of the {product} are given twice and do not agree: {count} cm in the table, more in the drawing.',
      'Zooming into the photos of the {product} makes the page jump to the top. Safari on an iPad.',
      'The “3 left in stock” on the {product} has said 3 left for two weeks, and I bought one of them.',
      'Assembly instructions for the {product} are a dead link (404).',
      'Add to basket does nothing for the {product} unless I choose a colour first, and nothing tells me that I must.',
      'Reviews of the {product} load for ever. Everything else on the page is fine.',
      'Console shows `TypeError: variant is undefined` in product.js when the {product} is opened from a search engine with a `?variant=` that no longer exists. The page then stays without a price.',
      'The 360° view is upside down on Firefox. Funny, but it does not help me decide.',
    ],
    search: [
      'Searching for “side board” with a space finds nothing, “sideboard” finds 14.',
      'Search results flicker while typing, and by the time I click, another product is under my finger. That is how I keep ending up at the {product}.',
      'Umlauts break the search. “Stühle” gives an empty page, “Stuhle” works.',
    ],
    basket: [
      'Changing the quantity of the {product} to 2 empties the whole basket. Reproducible, three out of three.',
      'Voucher {voucher} is accepted and then not taken off the total.',
      'The delivery fee changes from 49 to 79 when I go back one step, and stays there.',
      'Basket was empty after signing in. I had collected things in it for an hour, {product} and all.',
      'The total does not match the lines: with {count} cushions I get a sum that is one cent too low. Rounding?',
    ],
    delivery: [
      'My postcode is refused as “not valid”. I have lived here for thirty years and the post finds me every day.',
      'Calendar only offers dates in the past. I cannot choose a delivery day for my {product}.',
      'The house number field does not accept letters. I live at 14b.',
      'Tab key skips the “floor / lift” question, so with the keyboard alone one cannot finish the order.',
      'Phone number with +44 is rejected; without it the driver will not reach me.',
    ],
    payment: [
      'Invoice is missing from the payment methods as soon as the {product} is in the basket. It was there yesterday.',
      'After paying I landed on a white page. The email came, so it worked, but I did get a fright.',
      'Expiry date: the field turns “04” into an error before I have typed the year.',
      'Gift card balance shows as 0.00 although it has never been used (number ends in {count}).',
    ],
    order: [
      'Order {order} says “delivered”. It was not. No one rang, no card in the letter box.',
      'The tracking link of {order} goes to the courier’s home page and not to my parcel.',
      'Invoice PDF for {order} has my old address, though the order itself is right.',
      '“Cancel order” on {order} asks me to confirm and then shows the order as before. Cancelled or not?',
    ],
    account: [
      'I cannot change my password: “new password must differ from the old one”, and it does.',
      'Deleting an old address deletes the one above it instead. Please put {city} back.',
    ],
    wishlist: [
      'Wish list shows the {product} twice and removing one removes both.',
      'Sharing the wish list by email gives my wife a sign-in page. It should just open.',
    ],
    store: [
      'The opening hours for {city} say “closed” on a Saturday. We stood in the shop, it was open, and very nice.',
    ],
  },
  idea: {
    category: [
      'Could I filter {category} by what fits through a 76 cm door? I know that sounds special, but half of this old town would use it.',
      'A “compare” box for two or three {category} would save me all these browser tabs.',
      'please add dark wood as a filter, not just the name of the tree',
      'Show the price per seat for sofas. It is how my husband decides everything.',
    ],
    product: [
      'Photos of the {product} in a small flat, please. Every living room in your pictures is larger than my house.',
      'Say how heavy the {product} is. I live on the fourth floor without a lift and have to plan who to be friends with.',
      'A swatch of {colour} by post would help; screens lie.',
      'It would be lovely to see which other pieces share the same oak as the {product}.',
      'Offer the {product} without the legs. I would rather make my own, and I cannot be the only one.',
      'Video of someone putting the {product} together, in real time, with no music.',
      'A notification when the {product} in {colour} is back would be enough for me to wait instead of buying elsewhere.',
    ],
    basket: [
      'Let me save the basket under a name. I am furnishing two rooms and keep mixing them up.',
      'Show the delivery date in the basket already, not on the last page.',
      'An option to add the old-furniture pick-up here would be great. I only found out about it from the driver.',
    ],
    delivery: [
      'A two hour window instead of “between 7 and 18” would be worth 20 to me, gladly.',
      'Could you deliver to a neighbour? There is nowhere to say that the flat next door is always open and ours in {city} never.',
      'Please let me choose one day for all parcels of an order; now each wants its own, and {city} is a long way for three lorries.',
    ],
    payment: ['Paying in three parts would make the {product} possible for me this year and not next.'],
    order: [
      'A button “order spare part” next to each item would be perfect. I lost one screw in the move, not the wardrobe.',
      'Put the care instructions for the {product} into the order page, it is where I look for them.',
      'Calendar file (.ics) for the delivery date of {order}, so that both of us know.',
    ],
    wishlist: ['Let two people vote on the wish list. We have been married for six years and would like to stay so.'],
    store: [
      'Show which pieces stand in the {city} store. We drove an hour to sit on the {product} and it was not there.',
    ],
  },
  question: {
    product: [
      'Is the {product} treated with oil or with lacquer? My daughter reacts to some lacquers.',
      'Does the {product} come in one piece? The staircase has a narrow turn, {count} cm less than your drawing wants.',
      'Can the cover of the {product} be washed at 40 degrees, or is it dry cleaning only?',
      'Where is the {product} made? The page says “designed in Denmark”, which is not the same.',
      'Would the {product} hold an aquarium of 54 litres? Asking before, for once.',
      'Is {colour} closer to green or to grey? On my two screens it is one of each.',
      'How long is the guarantee on the {product}, and does it cover the springs?',
      'will the {product} be in the black friday sale? if yes i wait',
    ],
    delivery: [
      'Do you deliver to islands? We are reached by ferry, twice a day.',
      'Is assembly included when I choose “to the room of your choice”? The word is used in two ways on this page.',
      'Can I change the delivery address after ordering? We move to {city} at the end of the month.',
      'Do your drivers take the packaging with them?',
    ],
    payment: ['Can I pay one half by card and the rest with a gift card? I see only either or.'],
    order: [
      'Order {order} is “in preparation” since {weeks} weeks. Is that normal, and if so, for how long?',
      'Two of three parcels of {order} are here. When does the third one come?',
      'I need an invoice with our VAT number for {order}. Where do I enter it afterwards?',
    ],
    home: [
      'Are you the same Fernwood that used to be in the old brewery in {city}? We have a table of theirs from 1998.',
    ],
    store: ['Can I bring my dog to the {city} store? He is small and has excellent taste in rugs.'],
    account: ['How do I delete my account together with all the data? I find the settings, but not that one.'],
  },
  praise: {
    home: [
      'The new start page is so much calmer. Thank you for not shouting at me.',
      'Nicest furniture shop on the internet, and I have seen them all this month.',
    ],
    product: [
      'The drawings with all measurements are fantastic. I am an architect and wish that everyone did this.',
      'Finally honest photos of {colour}. It arrived and looks exactly like on the page.',
      'Bought the {product} after reading the review with one star. You left it up and answered it, that convinced me.',
      'love the {product} 😍',
      'The {product} is even nicer than in the pictures, and it was up in half an hour.',
    ],
    payment: [
      'Fastest checkout I ever used. No account, no newsletter, done.',
      'Ordered as a guest in under two minutes, with one hand, holding a baby. Well done.',
    ],
    delivery: [
      'Great that one can choose the floor and say that the lift is out of order. Someone thought about this.',
    ],
    order: [
      'Delivery of {order} was spot on and the two gentlemen took off their shoes! Please tell them thank you from {city}.',
      'Sent back the {product}, money was here in three days. I will order again because of that.',
      'The little card with the name of the person who made it was the best part of {order}.',
    ],
    store: ['Lovely advice in {city}. No one tried to sell me the expensive one.'],
  },
  other: {
    home: [
      'I am a student writing my thesis about second-hand furniture. Is there someone who would answer six questions?',
      'Your newsletter has a typo in the subject line: “furnitrue”. It made me open it, so perhaps leave it in.',
    ],
    order: [
      'Please pass on to the warehouse: the corners of the box of {order} were all crushed, the {product} itself is fine. This time.',
      'I wrote to support about {order} twice and got the same automatic mail twice. I would like a person, please.',
    ],
    product: ['The cat has accepted the {product}. We may use it on Thursdays.'],
    store: [
      'The car park sign in {city} points to the wrong entrance. We were not the only ones reversing out of there.',
    ],
  },
}
