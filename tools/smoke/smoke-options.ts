/** The options of `npm run smoke`. */
import { command, parse, UsageError } from '../../local/command-line.ts';

const KEYS = {
  lite: 'a key on Lite',
  starter: 'a key on Starter',
  pro: 'a key on Pro',
  demo: 'the demo key',
  disabled: 'a disabled key',
  unplanned: 'a key that is not assigned to a plan',
} as const;

/** The keys for which one ordinary key is used. */
const ORDINARY: readonly string[] = ['demo', 'starter', 'pro'];

const ABOUT = `Runs the conformance suite against a deployed stage. Keys may come from the environment instead: KEY, KEY_LITE,
KEY_STARTER and so on. Rows that need a key that is not given are left out.`;

/** Throws `UsageError` without an address or an ordinary key. */
export function readSmokeOptions(args: readonly string[]) {
  const definition = command('npm run smoke --', ABOUT)
    .option(
      '--url <address>',
      "base address of the stage, with the stage's name where it has one (or BASE_URL)",
    )
    .option('--key <secret>', 'a key on Pro or Starter; stands for both, and for the demo key');
  for (const [name, about] of Object.entries(KEYS)) definition.option(`--${name} <secret>`, about);
  const values = parse<Readonly<Record<string, string | undefined>>>(definition, args);
  const given = (name: string, variable: string): string | undefined => {
    const value = values[name] ?? process.env[variable];
    return value === '' ? undefined : value;
  };
  const url = given('url', 'BASE_URL')?.replace(/\/+$/, '');
  if (url === undefined || !/^https?:\/\/[^/?#]/.test(url))
    throw new UsageError('--url must be an http or https address');
  const key = given('key', 'KEY');
  const keys: Record<string, string> = {};
  for (const name of Object.keys(KEYS)) {
    const secret = given(name, `KEY_${name.toUpperCase()}`) ?? (ORDINARY.includes(name) ? key : undefined);
    if (secret !== undefined) keys[name] = secret;
  }
  const { pro } = keys;
  if (pro === undefined) throw new UsageError('--key is missing: the rows need a key on Pro or Starter');
  return { url, pro, keys };
}
