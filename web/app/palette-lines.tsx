import { useQuery } from '@tanstack/react-query'
import { Bookmark, Building2, Compass, FolderKanban, Keyboard, Plus, Search, Settings, User, Users } from 'lucide-react'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { TypeIcon } from '../features/feedback/feedback-icons.tsx'
import { describeWordless } from '../features/feedback/inbox/feedback-row.tsx'
import { findItemsQuery } from '../features/feedback/inbox/find-items.ts'
import { viewsQuery } from '../features/feedback/inbox/views-query.ts'
import { nameVisitor, toVisitorPath } from '../features/visitors/visitor-name.ts'
import { findVisitorsQuery } from '../features/visitors/visitor-queries.ts'
import { openWindow, useScreenOffer } from '../lib/commands.ts'
import { membersQuery } from '../lib/members-query.ts'
import { useOrganization } from '../lib/organization.tsx'
import { ownOrganizationsQuery } from '../lib/own-organizations-query.ts'
import { projectsQuery } from '../lib/projects-query.ts'
import { switchOrganization } from '../lib/selected-organization.ts'
import { startTour } from '../lib/start-tour.ts'
import { setTheme } from '../lib/theme.ts'
import { themeChoices } from '../lib/theme-choices.ts'
import { type CommandOption, filterOptions } from '../ui/command-list.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { useDestinations } from './destinations.tsx'
import { useSettingsParts } from './settings-parts.ts'

interface Line extends CommandOption {
  run: () => void
}

const searchDelayMs = 150

/** Everything to choose from for what was typed, the likeliest first. */
export function usePaletteLines(query: string): Line[] {
  const navigate = useNavigate()
  const go = (to: string) => () => void navigate(to)
  const { commands } = useScreenOffer()
  const offered: Line[] = commands.map(({ keys, ...command }) => ({
    ...command,
    ...(keys && { aside: <Keys keys={keys} /> }),
  }))
  const organizations = useOrganizationLines(query)
  const known = [
    ...offered,
    ...useScreens(go),
    ...useOwnLines(query, go),
    ...organizations,
    ...listThemes(),
    help,
    tour,
  ]
  return [...filterOptions(known, query), ...useFoundLines(query.trim(), go)]
}

type Go = (to: string) => () => void

function useScreens(go: Go): Line[] {
  return useDestinations().map(({ to, label, letter, icon: Icon }) => ({
    id: `go:${to}`,
    label,
    group: 'Go to',
    icon: <Icon aria-hidden="true" />,
    aside: <Keys keys={['g', letter]} />,
    run: go(to),
  }))
}

/** The organisation's own: views, projects and, once something is typed, settings and members. */
function useOwnLines(query: string, go: Go): Line[] {
  const { organization, can } = useOrganization()
  const settingsParts = useSettingsParts()
  const isTyped = query.trim() !== ''
  const { data: projects = [] } = useQuery(projectsQuery(organization.id))
  const { data: views = [] } = useQuery(viewsQuery(organization.id))
  const { data: members = [] } = useQuery({ ...membersQuery(organization.id), enabled: isTyped })
  const newProject: Line = {
    id: 'new-project',
    label: 'New project',
    group: 'Projects',
    icon: <Plus aria-hidden="true" />,
    run: go('/dashboard/projects/new'),
  }
  const savedViews: Line[] = views.map(({ id, name, search }) => ({
    id: `view:${id}`,
    label: name,
    group: 'Views',
    icon: <Bookmark aria-hidden="true" />,
    run: go(`/dashboard/feedback?${new URLSearchParams([...new URLSearchParams(search), ['view', id]])}`),
  }))
  const ofProjects: Line[] = projects.map(({ id, name }) => ({
    id: `project:${id}`,
    label: name,
    group: 'Projects',
    icon: <FolderKanban aria-hidden="true" />,
    run: go(`/dashboard/projects/${id}`),
  }))
  const settings: Line[] = settingsParts.map(({ to, label }) => ({
    id: `settings:${to}`,
    label,
    group: 'Settings',
    icon: <Settings aria-hidden="true" />,
    run: go(to),
  }))
  const assigned: Line[] = members.map(({ userId, name }) => ({
    id: `member:${userId}`,
    label: name,
    group: 'Members',
    icon: <User aria-hidden="true" />,
    aside: 'Assigned items',
    run: go(`/dashboard/feedback?${new URLSearchParams({ assignee: userId })}`),
  }))
  const organizationLines = [...savedViews, ...ofProjects, ...(can('manage_projects') ? [newProject] : [])]
  return isTyped ? [...organizationLines, ...settings, ...assigned] : organizationLines
}

/** Once something is typed: the person's other organisations with the words, and the way to create one. */
function useOrganizationLines(query: string): Line[] {
  const { organization } = useOrganization()
  const words = useDelayed(useDeferredValue(query.trim()))
  const { data } = useQuery({ ...ownOrganizationsQuery(words), enabled: words !== '' })
  if (query.trim() === '') return []
  const others = (data?.items ?? []).filter(({ id }) => id !== organization.id)
  return [
    ...others.map(({ id, name, deleteAfter }) => ({
      id: `organization:${id}`,
      label: name,
      group: 'Organisations',
      icon: <Building2 aria-hidden="true" />,
      aside: deleteAfter === null ? 'Switch organisation' : 'Closed',
      run: () => void switchOrganization(id),
    })),
    {
      id: 'new-organization',
      label: 'Create organisation',
      group: 'Organisations',
      icon: <Plus aria-hidden="true" />,
      run: () => openWindow('new-organization'),
    },
  ]
}

function listThemes(): Line[] {
  return themeChoices.map(({ theme, label, icon: Icon }) => ({
    id: `theme:${theme}`,
    label,
    group: 'Theme',
    icon: <Icon aria-hidden="true" />,
    run: () => setTheme(theme),
  }))
}

const help: Line = {
  id: 'help',
  label: 'Keyboard shortcuts',
  group: 'Help',
  icon: <Keyboard aria-hidden="true" />,
  aside: <Keys keys={['?']} />,
  run: () => openWindow('help'),
}

const tour: Line = {
  id: 'tour',
  label: 'Take the tour',
  group: 'Help',
  icon: <Compass aria-hidden="true" />,
  run: () => startTour('welcome'),
}

/** Visitors with the words, items with the words or the number, and the way to all of them. */
function useFoundLines(query: string, go: Go): Line[] {
  const { organization } = useOrganization()
  const words = useDelayed(useDeferredValue(query))
  const enabled = words.length > 1
  const { data: items = [] } = useQuery({ ...findItemsQuery(organization.id, words), enabled })
  const { data: visitors = [] } = useQuery({ ...findVisitorsQuery(organization.id, words), enabled })
  if (query.length < 2) return []
  return [
    ...visitors.map((visitor) => ({
      id: `visitor:${visitor.key}`,
      label: nameVisitor(visitor),
      group: 'Visitors',
      icon: <Users aria-hidden="true" />,
      run: go(toVisitorPath(visitor.key)),
    })),
    ...items.map((item) => ({
      id: `item:${item.id}`,
      label: `#${item.number} ${item.excerpt || describeWordless(item)}`,
      group: 'Feedback',
      icon: <TypeIcon type={item.type} />,
      run: go(`/dashboard/feedback?item=${item.id}`),
    })),
    {
      id: 'search',
      label: `Search feedback for “${query}”`,
      group: 'Feedback',
      icon: <Search aria-hidden="true" />,
      run: go(`/dashboard/feedback?${new URLSearchParams({ q: query })}`),
    },
  ]
}

/** The words once typing has paused. */
function useDelayed(words: string): string {
  const [settled, setSettled] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(words), searchDelayMs)
    return () => clearTimeout(timer)
  }, [words])
  return settled
}

function Keys({ keys }: { keys: readonly string[] }): ReactNode {
  return keys.map((key) => (
    <Kbd key={key} aria-hidden="true" className="pointer-coarse:hidden">
      {key}
    </Kbd>
  ))
}
