import { expect, it } from '@jest/globals';
import { readSmokeOptions } from '../../../../bin/smoke/smoke-options.ts';
import { UsageError } from '../../../../local/command-line.ts';

const URL = 'https://abc.execute-api.eu-north-1.amazonaws.com/dev';

it('takes one key for all that an ordinary key shows, and leaves the others out', () => {
  expect(readSmokeOptions(['--url', `${URL}/`, '--key', 'k'], {})).toEqual({
    url: URL,
    keys: { demo: 'k', starter: 'k', pro: 'k' },
  });
});

it('takes keys by name, from the command line before the environment', () => {
  const environment = { KEY: 'e', KEY_LITE: 'l', KEY_DISABLED: 'd', BASE_URL: 'http://elsewhere' };
  expect(readSmokeOptions(['--url', URL, '--pro', 'p', '--lite', 'x'], environment)).toEqual({
    url: URL,
    keys: { demo: 'e', starter: 'e', pro: 'p', lite: 'x', disabled: 'd' },
  });
});

it.each([
  ['no address', ['--key', 'k']],
  ['an address of another kind', ['--url', 'ftp://x', '--key', 'k']],
  ['no key', ['--url', URL]],
  ['an empty key', ['--url', URL, '--key', '']],
  ['no ordinary key', ['--url', URL, '--lite', 'l']],
  ['an option that is none', ['--url', URL, '--key', 'k', '--fast']],
])('refuses %s', (_, args) => expect(() => readSmokeOptions(args, {})).toThrow(UsageError));
