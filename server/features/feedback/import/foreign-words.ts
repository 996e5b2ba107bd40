import {
  closedReasons,
  type FeedbackPriority,
  type FeedbackType,
  feedbackPriorities,
  feedbackStatuses,
  feedbackTypes,
} from '#contract/feedback.ts'

/** What words of other tools and languages mean here, by {@link toPlainWord}. */
type Words<T extends string> = ReadonlyMap<string, T>

/** A word as it is compared: small letters without accents, spaces and signs. `Won’t fix` is `wontfix`, `erledigt!` `erledigt`. */
export function toPlainWord(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Words in English, then in the other languages of the widget: German, French, Spanish, Italian, Portuguese, Dutch, … */
const collect = <T extends string>(values: readonly T[], words: Partial<Record<T, string>>): Words<T> =>
  new Map([
    // `Object.entries` forgets that its names are those of the record.
    ...(Object.entries(words) as [T, string][]).flatMap(([value, list]) =>
      list.split(',').map((word) => [toPlainWord(word), value] as const),
    ),
    ...values.map((value) => [toPlainWord(value), value] as const),
  ])

export const types = collect<FeedbackType>(feedbackTypes, {
  bug: `issue, defect, error, problem, bugs, bug report, bug reports, crash,
    Fehler, Fehlermeldung, Störung, Defekt, erreur, anomalie, bogue, problème, incident, fallo, incidencia, problema,
    errore, guasto, erro, falha, defeito, fout, storing, probleem, błąd, usterka, fel, バグ, 不具合, エラー, خطأ, مشكلة, באג, תקלה, שגיאה`,
  idea: `feature, feature request, feature requests, request, suggestion, suggestions, ideas, improvement, enhancement,
    wish, proposal, Idee, Wunsch, Vorschlag, Verbesserung, Verbesserungsvorschlag, Anregung, Funktionswunsch, idée,
    suggestion, amélioration, demande, idea, sugerencia, mejora, petición, suggerimento, miglioramento, proposta, ideia,
    sugestão, melhoria, idee, wens, suggestie, verbetering, pomysł, sugestia, propozycja, idé, förslag, önskemål, アイデア,
    要望, 提案, فكرة, اقتراح, רעיון, הצעה`,
  question: `support, help, questions, Frage, Fragen, Hilfe, Anfrage, Rückfrage, aide, pregunta, consulta, ayuda, domanda,
    aiuto, pergunta, dúvida, ajuda, vraag, hulp, pytanie, pomoc, fråga, hjälp, 質問, سؤال, שאלה`,
  praise: `compliment, compliments, love, positive, kudos, thanks, Lob, Dank, positiv, éloge, compliment, félicitations,
    merci, elogio, felicitación, positivo, complimento, elogios, compliment, lof, pochwała, beröm, 称賛, お褒め, مدح, שבח, מחמאה`,
  other: `feedback, general, general feedback, task, note, comment, misc, miscellaneous, Sonstiges, Anderes, Allgemein,
    Aufgabe, autre, autres, divers, général, otro, otros, general, altro, altri, generale, outro, outros, geral, overig,
    anders, algemeen, inne, pozostałe, annat, övrigt, allmänt, その他, أخرى, אחר`,
})

/** A value is a status, or `closed:` and the reason of its closing. */
export const statuses = collect<string>(feedbackStatuses, {
  new: `feedback, unread, inbox, untriaged, received, pending, not set, neu, eingegangen, ungelesen, nouveau, nouvelle,
    reçu, nuevo, nueva, recibido, nuovo, nuova, ricevuto, novo, nova, recebido, nieuw, ontvangen, nowe, nowy, ny, nytt,
    新規, 未対応, جديد, חדש`,
  open: `under review, review, backlog, to do, planned, accepted, reopened, triaged, confirmed, offen, geplant,
    angenommen, bestätigt, in Prüfung, wieder geöffnet, ouvert, ouverte, planifié, à faire, accepté, abierto, abierta,
    planificado, por hacer, aceptado, aperto, aperta, pianificato, da fare, accettato, aberto, aberta, planeado,
    planejado, a fazer, aceito, openstaand, gepland, te doen, geaccepteerd, otwarte, otwarty, zaplanowane, do zrobienia,
    öppen, öppet, planerad, att göra, オープン, 受付, 予定, مفتوح, פתוח, מתוכנן`,
  in_progress: `in progress, started, doing, wip, in development, active, ongoing, in Arbeit, in Bearbeitung, begonnen,
    laufend, en cours, en progreso, en curso, en proceso, in corso, in lavorazione, em andamento, em curso, em progresso,
    bezig, in behandeling, mee bezig, w toku, w trakcie, pågår, pågående, 対応中, 進行中, 作業中, قيد التنفيذ, قيد المعالجة, בתהליך, בטיפול`,
  resolved: `done, complete, completed, fixed, shipped, released, solved, implemented, delivered, erledigt, fertig,
    gelöst, behoben, abgeschlossen, umgesetzt, veröffentlicht, résolu, résolue, terminé, terminée, corrigé, fait, livré,
    resuelto, resuelta, terminado, hecho, completado, corregido, risolto, risolta, completato, fatto, corretto, resolvido,
    resolvida, concluído, feito, corrigido, opgelost, klaar, gereed, afgerond, voltooid, rozwiązane, rozwiązany, zrobione,
    gotowe, löst, klar, klart, färdig, åtgärdad, 解決, 解決済み, 完了, 対応済み, تم الحل, منجز, נפתר, הושלם, טופל`,
  closed: `archived, cancelled, canceled, geschlossen, archiviert, abgebrochen, fermé, fermée, clos, archivé, cerrado,
    cerrada, archivado, cancelado, chiuso, chiusa, archiviato, fechado, fechada, encerrado, arquivado, gesloten,
    gearchiveerd, zamknięte, zamknięty, stängd, stängt, avslutad, クローズ, 終了, مغلق, סגור`,
  'closed:wont_fix': `rejected, declined, won't fix, won't do, not planned, abgelehnt, wird nicht umgesetzt, nicht geplant,
    verworfen, rejeté, refusé, rechazado, no se hará, descartado, rifiutato, respinto, rejeitado, recusado, afgewezen,
    geweigerd, odrzucone, odrzucony, avvisad, avslagen, 却下, 対応しない, مرفوض, נדחה`,
  'closed:duplicate': `duplicate, duplicated, doppelt, Duplikat, doublon, duplicado, duplicata, duplicato, dubbel, duplicaat,
    duplikat, dubblett, 重複, مكرر, כפול`,
  'closed:not_reproducible': `not reproducible, cannot reproduce, can't reproduce, nicht reproduzierbar, nicht
    nachvollziehbar, non reproductible, no reproducible, non riproducibile, não reproduzível, niet reproduceerbaar,
    nie do odtworzenia, inte reproducerbar, 再現しない, 再現不可`,
})

export const priorities = collect<FeedbackPriority>(feedbackPriorities, {
  none: `not set, no, no priority, keine, ohne, nicht gesetzt, aucune, sans, ninguna, sin prioridad, nessuna, nenhuma,
    sem prioridade, geen, brak, ingen, なし, بدون, ללא`,
  low: `minor, lowest, trivial, p3, p4, niedrig, gering, unwichtig, basse, bas, faible, mineur, mineure, baja, bajo, menor,
    bassa, basso, minore, baixa, baixo, laag, klein, niski, niska, låg, 低, 低い, منخفض, منخفضة, נמוך, נמוכה`,
  medium: `normal, moderate, p2, default, mittel, moyenne, moyen, normale, media, medio, moderada, normale, média, médio,
    moderado, gemiddeld, normaal, średni, średnia, normalny, medel, 中, 普通, 通常, متوسط, متوسطة, בינוני, בינונית, רגיל`,
  high: `important, major, p1, hoch, wichtig, haute, haut, élevée, élevé, majeur, majeure, importante, alta, alto, mayor,
    importante, elevata, hoog, belangrijk, wysoki, wysoka, ważne, hög, högt, viktig, 高, 高い, عالي, عالية, مرتفع, גבוה, גבוהה`,
  urgent: `critical, highest, blocker, p0, immediate, dringend, sehr hoch, kritisch, höchste, blockierend, sofort,
    urgente, urgent, critique, bloquant, bloquante, crítica, crítico, muy alta, bloqueante, critica, critico, bloccante,
    muito alta, dringend, kritiek, spoed, pilny, pilne, krytyczny, brådskande, akut, kritisk, 緊急, 至急, 最高, عاجل, حرج,
    דחוף, קריטי`,
})

export const reasons = collect<string>(closedReasons, {
  wont_fix: `won't do, declined, rejected, abgelehnt, wird nicht umgesetzt, rejeté, rechazado, rifiutato, rejeitado,
    afgewezen, odrzucone, avvisad`,
  duplicate: 'doppelt, Duplikat, doublon, duplicado, duplicato, dubbel, duplikat, dubblett',
  not_reproducible: `cannot reproduce, can't reproduce, nicht reproduzierbar, non reproductible, no reproducible,
    non riproducibile, niet reproduceerbaar`,
})

/** What a word of another tool is called here; undefined where it is not known. */
export function lookUp<T extends string>(value: string, words: Words<T>): T | undefined {
  return words.get(toPlainWord(value))
}
