import { describe, expect, it } from 'vitest'
import { readStage } from './pick-status.ts'

describe('a column of a board', () => {
  it.each([
    ['Feedback', 'started'],
    ['In progress', 'started'],
    ['In Review', 'started'],
    ['Ready for release', 'started'],
    ['To-Do', 'todo'],
    ['Next up', 'todo'],
    ['Backlog (all)', 'todo'],
    ['✅ Done', 'done'],
    ['Won’t do', 'done'],
    ['Terminé', 'done'],
    ['Undone', 'started'],
  ])('called “%s” stands for work that is %s', (name, stage) => {
    expect(readStage(name, false)).toBe(stage)
    expect(readStage(name, true)).toBe('todo')
  })
})
