/** `llms.txt`: the content of the portal for programs that read text, with the Markdown version of each page. */
import { TITLE } from './layout.ts';

export interface TwinnedPage {
  readonly title: string;
  readonly summary: string;
  readonly twin: string;
}

export const llmsText = (pages: readonly TwinnedPage[]): string => `# ${TITLE}

> Read-only, keyed HTTP API: congestion score, waiting time, vessel counts, dwell periods and alerts of seaports, the freshness of the sources behind them, and monthly import momentum by HS code. JSON, and CSV where the response is a list.

- Every request but \`GET /v1/health\` needs the header \`X-API-Key\`. Never put a key into a URL, a page or a log.
- Start with \`GET /v1/ports\`, then \`GET /v1/ports/{UNLOCODE}/snapshot\` or \`/trend?window=30d\`.
- On 429 wait for the seconds in \`Retry-After\`. On 5xx wait 1, 2, 4, 8 s with 20 % jitter. Never retry another 4xx: \`hint\` says what to change.
- An agent can use the API through MCP tools instead: see [Agents](/docs/agents.md).
- The whole contract is [openapi.json](/openapi.json).

## Pages

${pages.map(({ title, summary, twin }) => `- [${title}](${twin}): ${summary}`).join('\n')}
`;
