import { Copyable } from '../../components/copyable.tsx'
import { Section } from '../../components/section.tsx'

interface Props {
  basePath: string
  baseUrl: string
}

const auth = '-H "Authorization: Bearer $KEY"'

function WithKey({ basePath, baseUrl }: Props) {
  const api = `${baseUrl}/api/v1`
  const flight = `from=$(curl -s ${auth} "${api}/airports?query=ZRH" | jq '.data[0].id')
to=$(curl -s ${auth} "${api}/airports?query=LIS" | jq '.data[0].id')

curl ${auth} "${api}/flights" -d '{
  "date": "2025-05-03", "fromId": '$from', "toId": '$to', "flightNumber": "LX2084",
  "departure": "2025-05-03T12:20:00+02:00", "arrival": "2025-05-03T14:15:00+01:00"
}'`
  return (
    <section aria-labelledby="with-a-key">
      <h3 id="with-a-key">With an API key</h3>
      <p>
        For your own scripts. Create a key in the <a href={`${basePath}/settings/security`}>security settings</a> with
        only the permissions that the script needs, and store it in a variable:
      </p>
      <Copyable id="start-key" text="export KEY=pxl_…" what="the line for the key" />
      <p>Get your profile:</p>
      <Copyable id="start-me" text={`curl ${auth} ${api}/me`} what="the first call" />
      <p>
        Log a flight. Airports are referenced by id, so look them up first. Times have an offset and are returned in
        UTC.
      </p>
      <Copyable id="start-flight" text={flight} what="the commands that log a flight" />
    </section>
  )
}

function WithOAuth({ baseUrl }: Props) {
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
      <h3 id="with-oauth">With OAuth, for third-party applications</h3>
      <p>
        OAuth 2.1 with PKCE; this instance is its own authorization server. A client library that reads metadata needs
        only <code>{baseUrl}</code>. Without a library, register once. Redirect URIs use https, or http on{' '}
        <code>localhost</code>, <code>127.0.0.1</code> and <code>[::1]</code>:
      </p>
      <Copyable id="start-register" text={register} what="the registration" />
      <p>
        Send the user to this address. The user signs in and chooses what to allow, which may be less or more than you
        request:
      </p>
      <Copyable id="start-authorize" text={authorize} what="the authorization request" />
      <p>
        The browser returns with <code>code</code>, <code>state</code> and <code>iss</code>. Compare <code>state</code>
        with the one you sent and <code>iss</code> with the address of this instance, then exchange the code within a
        minute:
      </p>
      <Copyable id="start-exchange" text={exchange} what="the exchange of the code" />
      <p>
        Use the access token like a key. It expires after one hour. Each refresh token works once; reusing one revokes
        all of them:
      </p>
      <Copyable id="start-refresh" text={refresh} what="the refresh" />
    </section>
  )
}

function WithAssistant({ baseUrl }: Props) {
  const server = { type: 'http', url: `${baseUrl}/api/mcp`, headers: { Authorization: 'Bearer pxl_…' } }
  return (
    <section aria-labelledby="with-an-assistant">
      <h3 id="with-an-assistant">With an assistant (MCP)</h3>
      <p>
        This is the address for the Model Context Protocol (Streamable HTTP). The tools are the operations above, with
        the same scopes and roles.
      </p>
      <Copyable id="start-mcp" text={`${baseUrl}/api/mcp`} what="the address for assistants" />
      <p>
        An assistant that supports OAuth needs only the address: it sends you to a page where you choose its
        permissions. For one that is configured in JSON, create a separate key:
      </p>
      <Copyable
        id="start-mcp-json"
        text={JSON.stringify({ mcpServers: { paxlog: server } }, null, 2)}
        what="the configuration"
      />
      <p>
        Notes and names in a log are written by people and may contain instructions for the assistant. Grant only the
        scopes that the task needs, and let the assistant ask before it writes.
      </p>
    </section>
  )
}

export function GettingStarted(props: Props) {
  return (
    <Section id="getting-started" title="Getting started">
      <WithKey {...props} />
      <WithOAuth {...props} />
      <WithAssistant {...props} />
    </Section>
  )
}
