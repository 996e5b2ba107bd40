import EditIntegrationScreen from '#web/features/integrations/connect/edit-screen.tsx'

export default EditIntegrationScreen
