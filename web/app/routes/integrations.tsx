import IntegrationsScreen from '#web/features/integrations/integrations-screen.tsx'

export function meta() {
  return [{ title: 'Integrations · Earshot' }]
}

export default IntegrationsScreen
