/*
 * The words that Earshot does not write, as data: what to look for, what to write instead, and the few files that may
 * keep one. Spaces in a pattern match a line break too, with the comment marks of the next line.
 */

export type RefusedWord = {
  readonly find: RegExp
  readonly instead: string
}

/** A phrase that one file may keep. `phrase` is compared with the text found, in lower case. */
export type AllowedWord = {
  readonly file: string
  readonly phrase: string
  readonly reason: string
}

/** Pronouns and adverbs of another century. Each has one plain word. */
const archaic: RefusedWord[] = [
  { find: /\bsomebody\b/i, instead: 'someone, or the role (member, visitor)' },
  { find: /\bnobody['’]s\b/i, instead: 'unassigned, or "no one’s"' },
  { find: /\bnobody\b(?!['’]s)/i, instead: 'no one, or the role with "no"' },
  { find: /\banybody\b/i, instead: 'anyone' },
  { find: /\beverybody\b/i, instead: 'everyone, or the role with "all"' },
  { find: /\bwhom?ever\b/i, instead: 'the role (the member who …), or anyone who' },
  { find: /\banew\b/i, instead: 'again' },
  { find: /\bfor good\b/i, instead: 'permanently' },
  { find: /\bwherever it lies\b/i, instead: 'in any folder, in any location' },
  { find: /\bthe own\b/i, instead: 'their own, its own' },
]

/** Clauses that stand where the noun should. */
const clauses: RefusedWord[] = [
  {
    // Case matters: only at the start of a sentence, and not in a question.
    find: /\bWhat (?:is|was|are|were|has|had|came|comes|goes|went|stays|waits|stands|lies|remains|belongs)\b(?![^.?!/'"`]{0,80}\?)/,
    instead: 'name the thing: "Rows already read …", not "What was read …"',
  },
  {
    find: /\b(?:it|test|describe)\(\s*['"`]what\b/,
    instead: 'name the thing that the test is about',
  },
  {
    find: /\bwhat (?:came|comes|goes|went|waits|stays|lies)\b(?! (?:before|after|first|next|wrong)\b)/i,
    instead: 'name the thing: "new items", "the rest"',
  },
  { find: /\bcomes again\b/i, instead: 'is retried' },
  { find: /\b(?:is|are|be|was|were|been) taken back\b/i, instead: 'is revoked, undone, withdrawn' },
  { find: /\bis no news\b/i, instead: 'sends no live event, creates no notification' },
  { find: /\bgoes on\b(?! (?:the|a|an|top|to)\b)/i, instead: 'continues' },
  { find: /\bis not what it (?:says|said|should)\b/i, instead: 'the content does not match its type' },
  { find: /\bwas not what it said it was\b/i, instead: 'the file’s content doesn’t match its type' },
  { find: /\btakes? its look along\b/i, instead: 'its rules are dropped with its node' },
  { find: /\bwhat was put away stays away\b/i, instead: 'a stale read no longer un-archives an item' },
  { find: /\bso already stays so\b/i, instead: 'keeps the existing timestamp' },
  { find: /\bhalf of the truth\b/i, instead: 'reads may be partial' },
  { find: /\bof very many it says only\b/i, instead: 'above the limit, `ids` is empty' },
  { find: /\bnot to be its end as well\b/i, instead: 'stop retrying' },
  { find: /\bsomething else must speak\b/i, instead: 'an empty message needs a rating, a file or an answer' },
]

/** One word for one thing: messages and addresses are email, and so are the links in them. */
const email: RefusedWord[] = [
  {
    find: /\b(?:an?|another|the|this|that|each|every|no|by|per|one|first|second|last|their|your|our|new|such) mails?\b(?![- ](?:catcher|scanner|server|client|program|provider|transport|process|page|box|job|address|addresse|library|librarie|feature)s?\b)/i,
    instead: 'email',
  },
  {
    find: /\bmails (?:to|of|that|are|is|from|for|about|which|who|were|was|go|wait|in|without|with)\b/i,
    instead: 'emails',
  },
  { find: /\bmail address(?:es)?\b/i, instead: 'email address' },
  { find: /\b(?:is|are|be|was|were) mailed\b/i, instead: 'is emailed, gets an email' },
  { find: /\bpress(?:es|ed|ing)? (?:the|a|its|that|this|both) links?\b/i, instead: 'click the link' },
  { find: /\b(?:one more|more) links? to press\b/i, instead: 'one more confirmation' },
  { find: /\bpresent (?:address|password|email)\b/i, instead: 'current email, current password' },
]

/** Glossary: selection, location, facet tokens. */
const glossary: RefusedWord[] = [
  { find: /\bchosen (?:items?|rows?)\b/i, instead: 'selected items' },
  { find: /\bitems? (?:is |are |were )?chosen\b/i, instead: 'items selected' },
  {
    find: /\bchoose (?:none|all\b(?! of)|items?|an item|up to here)\b/i,
    instead: 'clear selection, select all, select item',
  },
  { find: /\bsigns of (?:an |the |its )?items?\b/i, instead: 'facet tokens of an item' },
  { find: /\bplaces? of (?:an|the) items?\b/i, instead: 'location of an item' },
  { find: /\bnotices? between servers\b/i, instead: 'change notice' },
  { find: /\bopened by no(?:body| one)\b/i, instead: 'not opened yet' },
]

/** Texts of screens that were replaced: they must not come back by a copy. */
const screens: RefusedWord[] = [
  { find: /\bfive ways to be told\b/i, instead: 'Five ways to collect feedback' },
  { find: /\bfaster than typed\b/i, instead: 'Faster than typing.' },
  { find: /\bhas to wait: nothing is new\b/i, instead: 'No new feedback.' },
  { find: /['">]Without words\b/, instead: 'No message' },
  { find: /\bwhat waits could not be loaded\b/i, instead: 'Couldn’t load the inbox summary' },
  { find: /\bkeys pressed alone\b/i, instead: 'Single-key shortcuts' },
  { find: /['">]Own days\b/, instead: 'Custom range' },
  { find: /\bthe end of it, after a question\b/i, instead: 'Permanently delete your account' },
  { find: /\bthank you for having been here\b/i, instead: 'Your account and data were deleted' },
  { find: /\bthe middle of it becomes a square\b/i, instead: 'We’ll crop it to a square' },
  { find: /\ba person, an organisation, and you are ready\b/i, instead: 'Set up your account and organisation' },
  { find: /\bthis would take its place\b/i, instead: 'signing in will switch accounts' },
  { find: /\bthese are the ones there are\b/i, instead: 'Compare available plans' },
  { find: /\bone of these goes on from there\b/i, instead: 'choose a plan to continue' },
  { find: /\bthe team is told\b/i, instead: 'The team has been notified' },
  { find: /\byou sent no words\b/i, instead: 'You sent an attachment or rating' },
  { find: /\bon the page meanwhile\b/i, instead: 'Page activity' },
  { find: /\bsays? much the same\b/i, instead: 'similar feedback' },
  { find: /\bstands? for itself again\b/i, instead: 'unmerged' },
  { find: /\bkeeps this item under it\b/i, instead: 'This item will be merged into it' },
  { find: /\bvery much came from one address\b/i, instead: 'Too many submissions from one address' },
  { find: /\bthey were all like that already\b/i, instead: 'No changes needed' },
  { find: /\bmost pressing\b/i, instead: 'Highest priority' },
  { find: /\bhas all of what you filter by\b/i, instead: 'No feedback matches these filters' },
  { find: /\bsay what each column becomes\b/i, instead: 'Map each column' },
  { find: /\bhow much this is could not be counted\b/i, instead: 'Couldn’t count the affected items' },
  { find: /\bno project is called that\b/i, instead: 'No projects found' },
  { find: /\byou may leave: it goes\b/i, instead: 'You can leave this page; this continues in the background' },
  { find: /\bas it comes: nothing\b/i, instead: 'Default settings' },
  { find: /\bbox to tick\b/i, instead: 'Checkbox' },
  { find: /\bwhere we speak it\b/i, instead: 'Visitor’s language, if supported' },
  {
    find: /\bstands in your team['’]s inbox\b/i,
    instead: 'It’s in your team’s inbox a moment later',
  },
  { find: /\bcome back here and go on\b/i, instead: 'Return here to continue' },
  { find: /\bin this browser and on this device\b|\bbest on this device\b/i, instead: 'ideally in this browser' },
  { find: /['">]A link is needed\b/, instead: 'Reset link required' },
  { find: /\buntil both are pressed\b/i, instead: 'Both links must be confirmed.' },
  { find: /\bways to sign in\b/i, instead: 'Sign-in methods' },
  { find: /\badds it here by itself\b/i, instead: 'added automatically' },
  { find: /\bsees it beside what you do\b/i, instead: 'Shown next to your activity.' },
  { find: /\bto the front page\b/i, instead: 'Back to home' },
  { find: /\bit slows nothing down\b/i, instead: 'Won’t slow your site' },
  { find: /\bwaiting for the first load\b/i, instead: 'Waiting for the widget to load on your site…' },
  { find: /['">]Found on your page\b/, instead: 'Widget detected' },
  { find: /\ba pasted address is shortened\b/i, instead: 'Paste any URL; we’ll keep the domain.' },
  { find: /\btake feedback again\b/i, instead: 'Unarchive project' },
  { find: /\bfurther hosts\b/i, instead: 'Additional domains' },
  { find: /\bfind and do anything\b/i, instead: 'Search or run a command' },
  { find: /\bunder a name, to come back to\b/i, instead: 'Save this view to reuse it' },
  { find: /\bnote for the team\b/i, instead: 'Internal note' },
  { find: /\bto tell a colleague\b/i, instead: 'to mention a teammate' },
  { find: /\bboth histories say so\b/i, instead: 'This item will be merged into it' },
  { find: /\bthe site said so\b/i, instead: 'Identity not verified' },
  { find: /['">]File not kept\b/, instead: 'File blocked: unsupported type (.exe)' },
  { find: /\bfield was filled in that people do not see\b/i, instead: 'a hidden field was filled (likely a bot)' },
  { find: /\bbefore you have seen the check\b/i, instead: 'Preview before anything is imported' },
  { find: /\bis none of none\b/i, instead: 'Unknown priority "…". Use none, low…' },
  { find: /\bno time that can only mean one\b/i, instead: 'Ambiguous date' },
  { find: /\btype of items that name none\b/i, instead: 'Default type' },
  { find: /\bwho sent feedback and said who they are\b/i, instead: 'Identified people who sent feedback' },
  { find: /['">]How fast you are\b/, instead: 'Response times' },
  { find: /\beach point of a line is\b/i, instead: '7-day rolling average' },
  { find: /\bin UTC, which is your time\b/i, instead: 'Times in UTC' },
  { find: /\bfrom the page to the feedback\b/i, instead: 'Conversion funnel' },
  { find: /\bown words in\b/i, instead: 'Customise text in' },
  { find: /['">]Show our button\b/, instead: 'Show feedback button' },
  { find: /['">]Kinds of feedback\b/, instead: 'Feedback types' },
  { find: /\bquestions of your own\b/i, instead: 'Custom questions' },
  { find: /\bline about consent\b/i, instead: 'Consent text' },
  { find: /\breal pixels \(asks first\)/i, instead: 'Exact capture (the browser asks)' },
  { find: /['">]What is in sight\b/, instead: 'Visible area' },
  { find: /['">]Draw on it\b/, instead: 'Annotate' },
  { find: /['">]Black out\b/, instead: 'Redact' },
  { find: /\bone minute more\b/i, instead: 'Extend by one minute' },
  { find: /\bthe longest recording is reached\b/i, instead: 'Maximum length reached' },
  { find: /['">]Look at it\b/, instead: 'View' },
  { find: /\bthis conversation is not here\b/i, instead: 'Conversation not found' },
  { find: /\bwhat was typed is not who\b/i, instead: 'The confirmation doesn’t match this visitor' },
  { find: /\bthere is nothing at this address\b/i, instead: 'Not found' },
  { find: /\bdo a small calculation\b/i, instead: 'Your device needs to complete a short check first' },
]

export const refusedWords: readonly RefusedWord[] = [...archaic, ...clauses, ...email, ...glossary, ...screens]

/** Each with its reason: words that are not ours, or that a test needs as they are. */
export const allowedWords: readonly AllowedWord[] = []
