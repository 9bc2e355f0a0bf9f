/** The options of `npm run smoke`. */
import { command, parse, UsageError } from '../../local/command-line.ts';

const NAMES = ['demo', 'lite', 'starter', 'pro', 'disabled', 'unplanned'] as const;
type KeyName = (typeof NAMES)[number];

export interface SmokeOptions {
  /** Without a slash at its end. */
  readonly url: string;
  readonly keys: Readonly<Partial<Record<KeyName, string>>> & { readonly pro: string };
}

/** The keys for which one ordinary key is used. */
const ORDINARY: readonly KeyName[] = ['demo', 'starter', 'pro'];

const smokeCommand = () =>
  command(
    'npm run smoke --',
    `Runs the conformance suite against a deployed stage. Keys may come from the environment instead: KEY, KEY_LITE,
KEY_STARTER and so on. Rows that need a key that is not given are left out.`,
  )
    .option(
      '--url <address>',
      "base address of the stage, with the stage's name where it has one (or BASE_URL)",
    )
    .option('--key <secret>', 'a key on Pro or Starter; stands for both, and for the demo key')
    .option('--lite <secret>', 'a key on Lite')
    .option('--starter <secret>', 'a key on Starter')
    .option('--pro <secret>', 'a key on Pro')
    .option('--demo <secret>', 'the demo key')
    .option('--disabled <secret>', 'a disabled key')
    .option('--unplanned <secret>', 'a key that is not assigned to a plan');

/** Throws `UsageError` without an address or an ordinary key. */
export function readSmokeOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): SmokeOptions {
  const values = parse<Readonly<Record<string, string | undefined>>>(smokeCommand(), args);
  const given = (name: string, variable: string): string | undefined => {
    const value = values[name] ?? environment[variable];
    return value === '' ? undefined : value;
  };
  const url = given('url', 'BASE_URL')?.replace(/\/+$/, '');
  if (url === undefined || !/^https?:\/\/[^/?#]/.test(url))
    throw new UsageError('--url must be an http or https address');
  const key = given('key', 'KEY');
  const keys = Object.fromEntries(
    NAMES.map((name) => [
      name,
      given(name, `KEY_${name.toUpperCase()}`) ?? (ORDINARY.includes(name) ? key : undefined),
    ]).filter(([, secret]) => secret !== undefined),
  ) as SmokeOptions['keys'];
  if (keys.pro === undefined) throw new UsageError('--key is missing: the rows need a key on Pro or Starter');
  return { url, keys };
}
