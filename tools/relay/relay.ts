/** Posts new alerts to an address, signed and retried by the Standard Webhooks specification (standardwebhooks.com). */
import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod';
import { MAX_SINCE_DAYS } from '../../core/contracts/alerts.ts';
import { MAX_LIMIT } from '../../core/contracts/parameters.ts';
import { addDays, type Day, HOUR_MS, isDay, SECOND_MS } from '../../core/reference/time.ts';
import { StartError } from '../../local/command-line.ts';
import { readJsonFile, writeJsonFile } from '../../local/json-file.ts';
import type { createClient, PortAlert } from '../../packages/client/index.ts';

/** The schedule of the specification: the pauses after each failed attempt. When they are used up, a message is given up. */
const PAUSES_MS = [5 / 3600, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS);
/** Late data can raise an alert of an earlier day. */
const LATE_DAYS = 6;

const day = z.string().refine(isDay);
const stateShape = z.object({
  /** First UTC day whose alerts are posted. */
  since: day,
  /** UTC day of the service at the newest complete poll. */
  polled: day,
  /** Messages that were made, each with the UTC day of its alert. */
  made: z.record(z.string(), day),
  /** Messages to deliver, the oldest first. */
  pending: z.array(z.object({ id: z.string(), body: z.string(), attempts: z.int(), nextAt: z.number() })),
});

export interface RelayOptions {
  readonly client: Pick<ReturnType<typeof createClient>, 'GET'>;
  /** Address that gets the messages. */
  readonly to: string;
  /** `whsec_` and 24 to 64 bytes in base64. */
  readonly secret: string;
  readonly stateFile: string;
  /** First UTC day whose alerts are posted where there is no state yet; by default the service's own. */
  readonly since?: Day | undefined;
  /** Parameters of `/v1/alerts` that narrow the alerts, such as `country`. */
  readonly filters: Readonly<Record<string, string>>;
  /** Milliseconds that the receiver has; the specification says 15 to 30 seconds. */
  readonly receiverMs: number;
  readonly now: () => number;
  readonly report: (line: string) => void;
}

/** Equal in every attempt, and after a loss of the state, so that a receiver can drop what it has. A full stop would divide what is signed. */
const messageId = ({ id, severity }: PortAlert): string =>
  `msg_${createHash('sha256').update(`${id} ${severity}`).digest('base64url')}`;

/** Throws `StartError` for a secret or a state file that cannot be used. */
export function createRelay(options: RelayOptions) {
  const { client, to, stateFile, now } = options;
  const key = Buffer.from(/^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(options.secret)?.[1] ?? '', 'base64');
  if (key.length < 24 || key.length > 64)
    throw new StartError('the secret must be whsec_ and the base64 of 24 to 64 bytes');
  let state = readJsonFile(stateFile, stateShape, 'without it, alerts are posted from today on');
  const save = (next: z.infer<typeof stateShape>): void => {
    writeJsonFile(stateFile, next);
    state = next;
  };

  async function alertsSince(since: Day): Promise<PortAlert[]> {
    const alerts: PortAlert[] = [];
    for (;;) {
      const query = { ...options.filters, since, limit: MAX_LIMIT, after: alerts.at(-1)?.id };
      const { data, error } = await client.GET('/v1/alerts', { params: { query } });
      if (error !== undefined) throw new StartError(`${error.message} ${error.hint ?? ''}`);
      alerts.push(...data);
      if (data.length < MAX_LIMIT) return alerts;
    }
  }

  /** Makes a message of each new alert, and of each new severity of one. Throws `StartError` when the service refuses the request. */
  async function poll(): Promise<void> {
    // The clock of a service may stand in the past.
    const { data: health } = await client.GET('/v1/health');
    if (health === undefined) throw new StartError('the service does not say its time');
    const today = health.time.slice(0, 10);
    const since = state?.since ?? options.since ?? today;
    const { polled, made, pending } = state ?? { polled: since, made: {}, pending: [] };
    const late = addDays(polled < today ? polled : today, -LATE_DAYS);
    const [first = since] = [since, late, addDays(today, 1 - MAX_SINCE_DAYS)].sort().reverse();
    const alerts = (await alertsSince(first)).filter((alert) => !(messageId(alert) in made)).reverse();
    const messages = alerts.map((alert) => {
      const body = JSON.stringify({ type: 'alert.raised', timestamp: alert.as_of, data: alert });
      return { id: messageId(alert), body, attempts: 0, nextAt: now() };
    });
    const kept = Object.entries(made).filter(([, alertDay]) => alertDay >= first);
    const added = alerts.map((alert) => [messageId(alert), alert.id.slice(0, 10)]);
    save({
      since,
      polled: today,
      made: Object.fromEntries([...kept, ...added]),
      pending: [...pending, ...messages],
    });
  }

  /** Posts a message once. Resolves with why it is not delivered and the pause that the receiver asks for; undefined when it is. */
  async function post(id: string, body: string): Promise<{ reason: string; pauseMs: number } | undefined> {
    const timestamp = Math.floor(now() / SECOND_MS);
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    };
    const signal = AbortSignal.timeout(options.receiverMs);
    // A redirect is a failure: whoever runs the relay did not name its target.
    const sent = fetch(to, { method: 'POST', body, headers, signal, redirect: 'manual' });
    const response = await sent.catch((thrown: Error & { readonly cause?: Error }) => thrown);
    if (!('status' in response)) return { reason: response.cause?.message ?? response.message, pauseMs: 0 };
    await response.body?.cancel();
    if (response.ok) return undefined;
    if (response.status === 410) throw new StartError(`${to} is gone (410): nothing more is posted to it`);
    const pauseMs = Number(response.headers.get('retry-after')) * SECOND_MS || 0;
    return { reason: `status ${response.status}`, pauseMs };
  }

  /** Posts what is due, the oldest first. The state is saved after each attempt: a crash repeats one at most. Throws `StartError` on a 410. */
  async function deliver(): Promise<void> {
    for (const message of state?.pending ?? []) {
      if (state === undefined || message.nextAt > now()) continue;
      const failure = await post(message.id, message.body);
      const pause = failure && PAUSES_MS[message.attempts];
      // Up to a tenth more, so that messages that failed together do not return together.
      const waitMs = Math.max((pause ?? 0) * (1 + Math.random() / 10), failure?.pauseMs ?? 0);
      const retried =
        pause === undefined ? [] : { ...message, attempts: message.attempts + 1, nextAt: now() + waitMs };
      const next = pause === undefined ? 'given up' : `again in ${Math.ceil(waitMs / SECOND_MS)} s`;
      options.report(`${message.id}: ${failure ? `${failure.reason}, ${next}` : 'delivered'}`);
      save({ ...state, pending: state.pending.flatMap((it) => (it.id === message.id ? retried : it)) });
    }
  }

  return {
    poll,
    deliver,
    /** When the next attempt is due, in epoch milliseconds; infinite when none is. */
    nextAt: () => Math.min(...(state?.pending ?? []).map((message) => message.nextAt)),
  };
}
