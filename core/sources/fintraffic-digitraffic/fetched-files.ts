/** The files of one Digitraffic fetch: their names, and the note of the request. */
import { z } from 'zod';
import { formatInstant, type Instant, parseInstant } from '../../reference/time.ts';

export const REQUEST_FILE = 'request.json';
export const VESSELS_FILE = 'vessels.json';

/** `port-calls.json`, `port-calls-003.json`: replies of the v0 and v1 APIs. */
export const CALLS_FILE = /^port-calls(?:-\d{3})?\.json$/;
/** `visits-000.json`: replies of the v2 API. */
export const VISITS_FILE = /^visits-\d{3}\.json$/;

export const sliceName = (kind: 'port-calls' | 'visits', index: number): string =>
  `${kind}-${String(index).padStart(3, '0')}.json`;

const instant = z.string().transform((text, context) => {
  const at = parseInstant(text);
  if (at !== undefined) return at;
  context.addIssue({ code: 'custom', message: 'no time' });
  return z.NEVER;
});

/** Every change that the publisher received since `fromAt`, for all ports, is in the files beside it. */
export const requestShape = z.object({ from: instant });

export const requestNote = (fromAt: Instant): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify({ from: formatInstant(fromAt) })}\n`);
