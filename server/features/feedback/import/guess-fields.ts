import type { ImportField, ImportMapping, ImportQuestion } from '#contract/imports.ts'
import { decideOrder, isDateField } from '#contract/value-mapping.ts'
import { toPlainWord } from './foreign-words.ts'
import { parseRating } from './parse-rating.ts'
import { countOrders, judgeOrder, parseTime } from './parse-time.ts'

const split = (list: string): readonly string[] => list.split(',').map(toPlainWord)

/**
 * What columns are called in our own exports and in those of others (Canny, Userback, Usersnap, BugHerd, Hotjar, UserVoice,
 * Nolt …), then in the languages of the widget. Our own name is the first. The first name of a field that a file has is
 * taken.
 */
const names: readonly (readonly [ImportField, readonly string[]])[] = [
  [
    'title',
    split(`title, post title, subject, summary, headline, task name, Titel, Betreff, Überschrift, titre, objet, sujet,
      título, asunto, titolo, oggetto, assunto, onderwerp, tytuł, temat, rubrik, ämne, タイトル, 件名, عنوان, כותרת, נושא`),
  ],
  [
    'message',
    split(`message, details, description, feedback, comment, body, text, content, note, post details, idea, Nachricht,
      Beschreibung, Kommentar, Rückmeldung, Anmerkung, Meldung, Mitteilung, Inhalt, description, commentaire, contenu,
      remarque, mensaje, descripción, comentario, contenido, messaggio, descrizione, commento, testo, mensagem, descrição,
      comentário, conteúdo, bericht, omschrijving, beschrijving, opmerking, reactie, wiadomość, opis, komentarz, treść,
      meddelande, beskrivning, kommentar, メッセージ, 内容, 説明, コメント, رسالة, وصف, تعليق, הודעה, תיאור, תגובה`),
  ],
  [
    'type',
    split(`type, category, board, feedback type, item type, kind, board name, Typ, Art, Kategorie, type, catégorie, tipo,
      categoría, categoria, soort, categorie, typ, rodzaj, kategoria, kategori, 種類, カテゴリ, نوع, فئة, סוג, קטגוריה`),
  ],
  [
    'status',
    split(`status, state, column, workflow, workflow stage, stage, post status, Zustand, Stand, Bearbeitungsstand, statut,
      état, estado, stato, situação, stan, tillstånd, ステータス, 状態, الحالة, حالة, סטטוס, מצב`),
  ],
  ['closedReason', split('closed reason, resolution, Abschlussgrund, Lösung, résolution, resolución, risoluzione')],
  [
    'priority',
    split(`priority, prio, severity, importance, urgency, Priorität, Dringlichkeit, Wichtigkeit, Schweregrad, priorité,
      urgence, prioridad, urgencia, priorità, urgenza, prioridade, urgência, prioriteit, priorytet, pilność, prioritet,
      優先度, الأولوية, أولوية, עדיפות`),
  ],
  [
    'rating',
    split(`rating, stars, score, csat, satisfaction, Bewertung, Sterne, Zufriedenheit, Schulnote, évaluation, étoiles, avis,
      valoración, estrellas, puntuación, calificación, valutazione, stelle, punteggio, voto, avaliação, estrelas,
      classificação, beoordeling, sterren, waardering, ocena, gwiazdki, betyg, stjärnor, 評価, 星, تقييم, דירוג`),
  ],
  ['nps', split('nps, nps score, net promoter score')],
  [
    'tags',
    split(`tags, labels, tag, label, tag names, Schlagworte, Schlagwörter, Stichworte, étiquettes, mots clés, etiquetas,
      etichette, trefwoorden, etykiety, taggar, etiketter, タグ, وسوم, תגיות`),
  ],
  [
    'visitorName',
    split(`visitor name, author name, user name, reporter name, requester name, requester, reporter, author, full name,
      customer name, submitted by, created by, creator, Kunde, Kundenname, Absender, Melder, Verfasser, Autor, Ersteller,
      vollständiger Name, auteur, client, nom, nom complet, nombre, cliente, autor, nome, autore, naam, klant, auteur,
      imię, nazwa, klient, namn, kund, 名前, 氏名, الاسم, اسم, שם, name`),
  ],
  [
    'visitorEmail',
    split(`visitor email, author email, user email, reporter email, requester email, email, email address, mail,
      customer email, visitor, creator email, E-Mail, E-Mail-Adresse, Mailadresse, courriel, adresse e-mail,
      adresse mail, correo, correo electrónico, posta elettronica, indirizzo email, endereço de email, e-mailadres,
      adres e-mail, e-post, e-postadress, メール, メールアドレス, البريد الإلكتروني, בריד, דואר אלקטרוני, אימייל`),
  ],
  [
    'visitorId',
    split('visitor id, user id, customer id, author id, external id, Kundennummer, Benutzer-ID, Kunden-ID, id client'),
  ],
  [
    'pageUrl',
    split(`page url, url, page, page link, site url, website, source url, location, screen url, Seite, Webseite, Adresse,
      Seitenadresse, Link, page web, lien, página, enlace, pagina, strona, sida, länk, ページ`),
  ],
  ['pageTitle', split('page title, document title, Seitentitel, titre de la page')],
  [
    'createdAt',
    split(`created at, created, date, created date, creation date, date created, created on, submitted at, timestamp, time,
      post created, date submitted, Datum, erstellt, erstellt am, Erstelldatum, Erstellungsdatum, Eingang, eingegangen am,
      Zeitpunkt, Zeit, date de création, créé le, fecha, fecha de creación, creado el, data, data di creazione, creato il,
      data de criação, criado em, aanmaakdatum, aangemaakt op, utworzono, data utworzenia, skapad, 日付, 作成日, 作成日時,
      تاريخ, التاريخ, תאריך`),
  ],
  [
    'resolvedAt',
    split(`resolved at, closed at, completed at, resolved, date resolved, gelöst am, erledigt am, geschlossen am,
      résolu le, resuelto el, risolto il, resolvido em, opgelost op`),
  ],
]

/** A German column “Note” is a mark, an English one a message: the values tell. */
const noteNames = split('Note, Noten')

/**
 * What the names of a file's columns suggest, and the values of its first rows; a file without a message gives its first
 * column for one.
 *
 * @param questions the project's own. A column that is called as one is its answer, unless it is what our exports call
 * something else.
 */
export function suggestMapping(
  columns: readonly string[],
  questions: readonly ImportQuestion[],
  rows: readonly (readonly string[])[] = [],
): ImportMapping {
  const plain = columns.map(toPlainWord)
  const ownNames = new Set(names.map(([, [name = '']]) => name))
  const found: ImportMapping['columns'] = []
  const isFree = (at: number) => !found.some(({ column }) => column === at)
  const valuesOf = (at: number) => rows.map((cells) => (cells[at] ?? '').trim()).filter((value) => value !== '')
  for (const { id, label } of questions) {
    const column = [`${label} (${id})`, `fields.${id}`, label]
      .map((called) =>
        columns.findIndex((name, at) => isSame(name, called) && !ownNames.has(plain[at] ?? '') && isFree(at)),
      )
      .find((at) => at !== -1)
    if (column !== undefined) found.push({ column, field: 'answer', question: id })
  }
  const mark = plain.findIndex((name, at) => noteNames.includes(name) && isFree(at) && areRatings(valuesOf(at)))
  if (mark !== -1) found.push({ column: mark, field: 'rating' })
  for (const [field, wanted] of names) {
    if (field === 'rating' && mark !== -1) continue
    const free = (each: string) =>
      plain.findIndex((own, at) => own === each && isFree(at) && couldBe(field, valuesOf(at)))
    const column = wanted.map(free).find((at) => at !== -1)
    if (column !== undefined) found.push({ column, field })
  }
  settleContent(found, plain)
  for (const each of found) {
    const order = isDateField(each.field) ? decideOrder(countOrders(valuesOf(each.column))) : undefined
    if (order !== undefined) each.dateOrder = order
  }
  return { columns: found.sort((a, b) => a.column - b.column), defaultType: 'other' }
}

/** A file without an address calls its items by “Name”, one with addresses its people. Some column is the message. */
function settleContent(found: ImportMapping['columns'], plain: readonly string[]): void {
  const find = (field: ImportField) => found.find((each) => each.field === field)
  const person = find('visitorName')
  const isBareName = person !== undefined && plain[person.column] === 'name'
  if (isBareName && !find('visitorEmail') && !find('title')) person.field = 'title'
  if (find('message')) return
  const title = find('title')
  if (title) {
    title.field = 'message'
    return
  }
  const free = plain.findIndex((_, at) => !found.some(({ column }) => column === at))
  found.push({ column: Math.max(free, 0), field: 'message' })
}

/** A column called “data” or “time” holds dates, or anything else. */
function couldBe(field: ImportField, values: readonly string[]): boolean {
  if (!isDateField(field) || values.length === 0) return true
  return values.some((value) => parseTime(value, 'day_first') !== undefined || judgeOrder(value) !== undefined)
}

function areRatings(values: readonly string[]): boolean {
  const isRating = (value: string) =>
    parseRating(value) !== undefined || parseRating(value, 'school_grade') !== undefined
  return values.length > 0 && values.every(isRating)
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}
