import IntegrationScreen from '#web/features/integrations/integration-screen.tsx'

export default IntegrationScreen
