import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { openTeam } from './team.ts'
