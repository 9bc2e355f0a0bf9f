/** `npm run relay`: posts new alerts to a webhook, until Ctrl-C. */
import { setTimeout as delay } from 'node:timers/promises';
import { isDay, SECOND_MS } from '../core/reference/time.ts';
import { command, errorText, parse, run, UsageError } from '../local/command-line.ts';
import { createClient } from '../packages/client/index.ts';
import { createRelay } from '../tools/relay/relay.ts';

const ABOUT = `Posts each new alert of /v1/alerts to an address, signed and retried by the Standard Webhooks specification. The key is read from
PCD_API_KEY, the secret that signs from WEBHOOK_SECRET.`;

type Options = Readonly<Record<'to' | 'from' | 'state' | 'every', string>> &
  Readonly<Partial<Record<'filter' | 'since', string>>> & { readonly once?: true };

const that = (fits: (text: string) => boolean, rule: string) => (text: string) => {
  if (!fits(text)) throw new UsageError(`${rule}, not ${text}`);
  return text;
};
const address = that((text) => /^https?:\/\/\S+$/.test(text), 'an address begins with http:// or https://');
const seconds = that((text) => /^[1-9]\d{0,4}$/.test(text), '--every must be a number of seconds');

await run(async () => {
  const definition = command('npm run relay --', ABOUT)
    .requiredOption('--to <url>', 'address that gets the messages', address)
    .option('--from <url>', 'address of the service', address, 'http://127.0.0.1:3000')
    .option('--filter <query>', 'parameters of /v1/alerts, such as country=TW&severity=high')
    .option(
      '--since <day>',
      'on the first run, first UTC day (default: today)',
      that(isDay, '--since must be a day'),
    )
    .option('--state <file>', 'file with what was posted', '.data/relay.json')
    .option('--every <seconds>', 'time between two polls', seconds, '300')
    .option('--once', 'poll and post once, and exit');
  const { to, from, filter, since, state, every, once } = parse<Options>(definition);
  const relay = createRelay({
    client: createClient({ baseUrl: from, apiKey: process.env.PCD_API_KEY }),
    to,
    secret: process.env.WEBHOOK_SECRET ?? '',
    stateFile: state,
    since,
    filters: Object.fromEntries(new URLSearchParams(filter)),
    receiverMs: 15 * SECOND_MS,
    now: Date.now,
    report: console.log,
  });
  for (let pollAt = 0; ; ) {
    if (Date.now() >= pollAt) {
      pollAt = Date.now() + Number(every) * SECOND_MS;
      const polled = relay.poll();
      // A service that is down is polled again; what is pending is posted meanwhile.
      await (once ? polled : polled.catch((thrown) => console.error(`not polled: ${errorText(thrown)}`)));
    }
    await relay.deliver();
    if (once) return Number.isFinite(relay.nextAt()) ? 1 : 0;
    await delay(Math.max(0, Math.min(pollAt, relay.nextAt()) - Date.now()));
  }
});
