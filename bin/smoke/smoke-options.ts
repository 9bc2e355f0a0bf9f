/** The options of `npm run smoke`. */
import { parseArgs } from 'node:util';
import { optionErrorText } from '../../local/start-error.ts';

export const USAGE = `Usage: npm run smoke -- --url ADDRESS --key SECRET [--lite SECRET] [--disabled SECRET] ...

  --url        base address of the stage, with the stage's name where it has one
  --key        a key on Pro or Starter; stands for both, and for the demo key
  --lite, --starter, --pro, --demo, --disabled, --unplanned
               keys that show one thing each; rows that need one that is not given are left out
Keys may come from the environment instead: KEY, KEY_LITE, KEY_STARTER and so on.`;

/** A fault that the caller can fix. */
export class SmokeFault extends Error {
  override readonly name = 'SmokeFault';
}

const NAMES = ['demo', 'lite', 'starter', 'pro', 'disabled', 'unplanned'] as const;
type KeyName = (typeof NAMES)[number];

export interface SmokeOptions {
  /** Without a slash at its end. */
  readonly url: string;
  readonly keys: Readonly<Partial<Record<KeyName, string>>> & { readonly pro: string };
}

/** The keys for which one ordinary key is used. */
const ORDINARY: readonly KeyName[] = ['demo', 'starter', 'pro'];

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const named = Object.fromEntries(NAMES.map((name) => [name, text]));
  try {
    return parseArgs({ args: [...args], options: { url: text, key: text, ...named } }).values;
  } catch (thrown) {
    throw new SmokeFault(optionErrorText(thrown));
  }
}

/** Throws `SmokeFault` without an address or an ordinary key. */
export function readSmokeOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): SmokeOptions {
  const values: Readonly<Record<string, string | boolean | undefined>> = parse(args);
  const given = (name: string, variable: string): string | undefined => {
    const value = values[name] ?? environment[variable];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const url = given('url', 'BASE_URL')?.replace(/\/+$/, '');
  if (url === undefined || !/^https?:\/\/[^/?#]/.test(url))
    throw new SmokeFault('--url must be an http or https address');
  const key = given('key', 'KEY');
  const keys = Object.fromEntries(
    NAMES.map((name) => [
      name,
      given(name, `KEY_${name.toUpperCase()}`) ?? (ORDINARY.includes(name) ? key : undefined),
    ]).filter(([, secret]) => secret !== undefined),
  ) as SmokeOptions['keys'];
  if (keys.pro === undefined) throw new SmokeFault('--key is missing: the rows need a key on Pro or Starter');
  return { url, keys };
}
