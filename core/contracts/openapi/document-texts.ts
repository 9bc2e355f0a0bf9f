/** The OpenAPI file's description of the API as a whole. Its figures come from the plans and headers. */
import { CACHEABLE, KEY_HEADER } from '../headers.ts';
import { PLANS } from '../plans.ts';

export const TITLE = 'Port Congestion Data Service';

/** Pages of the portal, relative to the address of the API. */
export const PAGES = {
  docs: '/docs/',
  changelog: '/docs/changelog.html',
  errors: '/docs/errors.html',
} as const;

const { ratePerSecond, burst } = PLANS.lite;
const quotas = Object.values(PLANS)
  .map(({ title, monthlyQuota }) => `${title} ${monthlyQuota.toLocaleString('en-US')}`)
  .join(', ');

const RATE_LIMIT_TEXT = `A key is admitted ${ratePerSecond * 60} requests a minute, with a burst of ${burst}: a token bucket of ${burst} tokens that refills by ${ratePerSecond} a second. \`RateLimit-Limit\` is the number of requests per minute, \`RateLimit-Remaining\` the number left, \`RateLimit-Reset\` the UTC epoch second at which all of them are available again. A request beyond the burst gets a 429 with \`Retry-After\`, in seconds. Every request whose key is accepted counts, JSON and CSV alike, 304 included. Requests per calendar month (UTC): ${quotas}; above that, 429 until the next month.`;

export const DESCRIPTION = `Congestion metrics, dwell periods and alerts of ports, the freshness of the sources behind them, and monthly import momentum by HS code.

**Methods.** All endpoints are GET; HEAD returns the same status and headers without the body. Every other method or path returns 404.

**Parameters.** A query parameter whose name differs from one of the endpoint's by case or by one letter (more, less, other or exchanged with its neighbour) is a 422 that names the right one; other unknown parameters are ignored.

**Keys.** Send your API key in the request header \`${KEY_HEADER}\`; only the health probe needs none. A key is a secret: it does not belong in a page or an app.

**Limits.** ${RATE_LIMIT_TEXT}

**Caching.** Responses have \`Cache-Control: ${CACHEABLE}\` and a strong \`ETag\`; send it back in \`If-None-Match\` and an unchanged response is a 304 without a body.

**Errors.** Every 4xx and 5xx is JSON of one form, also when CSV was requested: \`code\` for programs, \`message\` and \`hint\` for people, \`request_id\` to report it by; [each code](${PAGES.errors}) is explained. A request that cannot be read at all, on any path, is a 400 \`bad_request\`. Retry 429 and 5xx after \`Retry-After\`, or with exponential backoff and jitter when it is absent; do not retry other 4xx.

**Versions.** The major version is part of the path. Fields and optional parameters may be added; a breaking change is announced in the [changelog](${PAGES.changelog}) and gets a new path.`;
