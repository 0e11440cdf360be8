import { Layout } from './layout.tsx'

export function NotFoundPage({ basePath }: { basePath: string }) {
  return (
    <Layout title="Not found – Paxlog" basePath={basePath}>
      <h1>There is nothing here</h1>
      <p>The address may be misspelt, or what was here has been taken away.</p>
    </Layout>
  )
}
