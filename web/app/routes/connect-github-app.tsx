import GithubAppScreen from '#web/features/integrations/github-app/github-app-screen.tsx'

export default GithubAppScreen
