import { Copyable } from '../../components/copyable.tsx'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../framework/localization.ts'

interface Props {
  basePath: string
  baseUrl: string
}

const code = (text: string) => <code>{text}</code>

const auth = '-H "Authorization: Bearer $KEY"'

function WithKey({ basePath, baseUrl }: Props) {
  const t = useTexts().docs.start
  const api = `${baseUrl}/api/v1`
  const flight = `from=$(curl -s ${auth} "${api}/airports?query=ZRH" | jq '.data[0].id')
to=$(curl -s ${auth} "${api}/airports?query=LIS" | jq '.data[0].id')

curl ${auth} "${api}/flights" -d '{
  "date": "2025-05-03", "fromId": '$from', "toId": '$to', "flightNumber": "LX2084",
  "departure": "2025-05-03T12:20:00+02:00", "arrival": "2025-05-03T14:15:00+01:00"
}'`
  return (
    <section aria-labelledby="with-a-key">
      <h3 id="with-a-key">{t.withKey}</h3>
      <p>{t.createKey({ link: (text) => <a href={`${basePath}/settings/security`}>{text}</a> })}</p>
      <Copyable id="start-key" text="export KEY=pxl_…" what={t.keyLine} />
      <p>{t.getProfile}</p>
      <Copyable id="start-me" text={`curl ${auth} ${api}/me`} what={t.firstCall} />
      <p>{t.logFlight}</p>
      <Copyable id="start-flight" text={flight} what={t.flightCommands} />
    </section>
  )
}

function WithOAuth({ baseUrl }: Props) {
  const t = useTexts().docs.start
  const resource = encodeURIComponent(`${baseUrl}/api/v1`)
  const redirect = 'http://127.0.0.1:8080/callback'
  const register = `CLIENT=$(curl -s "${baseUrl}/oauth/register" -H "Content-Type: application/json" \\
  -d '{"client_name": "Your app", "redirect_uris": ["${redirect}"]}' | jq -r .client_id)`
  const authorize = `VERIFIER=$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=')
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=')
STATE=$(openssl rand -hex 16)
echo "${baseUrl}/oauth/authorize?response_type=code&client_id=$CLIENT&redirect_uri=${encodeURIComponent(redirect)}&code_challenge=$CHALLENGE&code_challenge_method=S256&scope=flight.read.own%20stats.read&state=$STATE&resource=${resource}"`
  const exchange = `curl "${baseUrl}/oauth/token" -d grant_type=authorization_code -d client_id="$CLIENT" \\
  -d code="$CODE" -d code_verifier="$VERIFIER" \\
  --data-urlencode redirect_uri=${redirect} --data-urlencode resource=${baseUrl}/api/v1`
  const refresh = `curl "${baseUrl}/oauth/token" -d grant_type=refresh_token -d client_id="$CLIENT" \\
  -d refresh_token="$REFRESH" --data-urlencode resource=${baseUrl}/api/v1`
  return (
    <section aria-labelledby="with-oauth">
      <h3 id="with-oauth">{t.withOAuth}</h3>
      <p>{t.register({ address: baseUrl, code })}</p>
      <Copyable id="start-register" text={register} what={t.registration} />
      <p>{t.authorize}</p>
      <Copyable id="start-authorize" text={authorize} what={t.authorizationRequest} />
      <p>{t.exchange({ code })}</p>
      <Copyable id="start-exchange" text={exchange} what={t.codeExchange} />
      <p>{t.refresh}</p>
      <Copyable id="start-refresh" text={refresh} what={t.tokenRefresh} />
    </section>
  )
}

function WithAssistant({ baseUrl }: Props) {
  const t = useTexts().docs.start
  const server = { type: 'http', url: `${baseUrl}/api/mcp`, headers: { Authorization: 'Bearer pxl_…' } }
  return (
    <section aria-labelledby="with-an-assistant">
      <h3 id="with-an-assistant">{t.withAssistant}</h3>
      <p>{t.mcp}</p>
      <Copyable id="start-mcp" text={`${baseUrl}/api/mcp`} what={t.mcpAddress} />
      <p>{t.connectAssistant}</p>
      <Copyable
        id="start-mcp-json"
        text={JSON.stringify({ mcpServers: { paxlog: server } }, null, 2)}
        what={t.mcpConfiguration}
      />
      <p>{t.mcpWarning}</p>
    </section>
  )
}

export function GettingStarted(props: Props) {
  return (
    <Section id="getting-started" title={useTexts().docs.start.title}>
      <WithKey {...props} />
      <WithOAuth {...props} />
      <WithAssistant {...props} />
    </Section>
  )
}
