import type { NewPlan, Plan } from '#contract/plans.ts'
import { parseDollars } from '../format-money.ts'

/** A plan as it is typed. Limits: empty is unlimited. */
export interface PlanDraft {
  key: string
  name: string
  forWhom: string
  monthly: string
  yearly: string
  maxProjects: string
  maxMembers: string
  maxItemsPerMonth: string
  position: string
}

const emptyDraft: PlanDraft = {
  key: '',
  name: '',
  forWhom: '',
  monthly: '',
  yearly: '',
  maxProjects: '',
  maxMembers: '',
  maxItemsPerMonth: '',
  position: '40',
}

export function writePlanDraft(plan: Plan | undefined): PlanDraft {
  if (!plan) return emptyDraft
  const { key, name, forWhom, monthlyCents, yearlyCents, position } = plan
  const limit = (max: number | null) => (max === null ? '' : String(max))
  return {
    key,
    name,
    forWhom,
    monthly: (monthlyCents / 100).toFixed(2),
    yearly: (yearlyCents / 100).toFixed(2),
    maxProjects: limit(plan.maxProjects),
    maxMembers: limit(plan.maxMembers),
    maxItemsPerMonth: limit(plan.maxItemsPerMonth),
    position: String(position),
  }
}

/** @param draft whose fields were checked */
export function readPlanDraft(draft: PlanDraft): Omit<NewPlan, 'key'> {
  const { name, forWhom, monthly, yearly, maxProjects, maxMembers, maxItemsPerMonth, position } = draft
  const limit = (text: string) => (text.trim() === '' ? null : Number(text))
  return {
    name: name.trim(),
    forWhom: forWhom.trim(),
    monthlyCents: parseDollars(monthly) ?? 0,
    yearlyCents: parseDollars(yearly) ?? 0,
    maxProjects: limit(maxProjects),
    maxMembers: limit(maxMembers),
    maxItemsPerMonth: limit(maxItemsPerMonth),
    position: Number(position),
  }
}

const maxCents = 99_999_999

export const checkAmount = (text: string) =>
  (parseDollars(text) ?? Number.POSITIVE_INFINITY) <= maxCents || 'Enter an amount, for example 19.00.'
export const checkLimit = (text: string) =>
  text.trim() === '' || /^[1-9]\d{0,8}$/.test(text.trim()) || 'Enter a whole number, or nothing.'
export const checkPosition = (text: string) =>
  (/^\d{1,5}$/.test(text.trim()) && Number(text) <= 10_000) || 'Enter a whole number up to 10,000.'
