/** Texts that break careless programs, and the ways of writing a text into a URL. */
import fc, { type Arbitrary } from 'fast-check';

/** Short pieces that have broken routers, parsers, logs, headers and spreadsheets before. */
const PIECES = [
  '',
  ' ',
  '\t',
  '\0',
  '\r\n',
  '\n',
  '\r\nX-Injected: 1\r\n\r\n',
  '\u2028',
  '\u0085',
  '\ufeff',
  '\u202e',
  '"',
  "'",
  '\\',
  '`',
  '<script>alert(1)</script>',
  `$${'{jndi:ldap://127.0.0.1/x}'}`,
  '$context.requestId',
  '{{7*7}}',
  "' OR '1'='1",
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  ',',
  ';',
  '..',
  '../../etc/passwd',
  '%',
  '%%',
  '%2',
  '%zz',
  '%u0041',
  '%00',
  '%2e%2e',
  '%2F',
  '%252F',
  '%0d%0aX-Injected:1',
  '%ff%fe',
  '%c0%af',
  '%ed%a0%80',
  '+00:00',
  '%2B00:00',
  '2026-01-01T00:00:00+00:00',
  'null',
  'undefined',
  'NaN',
  '[]',
  '{}',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  '1e400',
  '99999999999999999999',
  '-0',
  '0x10',
  '٧d',
  '７d',
  'ＵＳＬＡＸ',
  'ẞ',
  'ﬁhel',
  'İ',
  '💥',
  'a\u0301'.repeat(20),
  'A'.repeat(300),
  'x'.repeat(5000),
] as const;

export const hostileText: Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom(...PIECES)).map((two) => two.join('')),
  },
);

/** A text that works with one thing wrong: a character more, less or changed, or something hung on. */
export const nearlyValid = (valid: string): Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(
      valid.toLowerCase(),
      `${valid} `,
      ` ${valid}`,
      valid.slice(0, -1),
      valid.slice(1),
      valid + valid,
      `0${valid}`,
      `+${valid}`,
      `${valid}.0`,
      `${valid}\n`,
      `${valid}\0`,
      `${valid},${valid}`,
      [...valid].reverse().join(''),
    ),
    fc
      .tuple(fc.nat(valid.length), hostileText)
      .map(([at, piece]) => valid.slice(0, at) + piece + valid.slice(at)),
  );

const everyByte = (text: string): string =>
  Buffer.from(text, 'utf8').toString('hex').toUpperCase().replaceAll(/../g, '%$&');

/** Escapes a URL component; a lone surrogate becomes the replacement character. */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'));

/** One of the ways in which clients write a text into a URL: properly, not at all, in full, twice, in Latin-1. */
export const written = (text: Arbitrary<string>): Arbitrary<string> =>
  fc
    .tuple(
      text,
      fc.oneof(
        { weight: 6, arbitrary: fc.constant(percentEncoded) },
        { weight: 2, arbitrary: fc.constant((raw: string) => raw) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(everyByte, (raw: string) => percentEncoded(percentEncoded(raw)), escape),
        },
      ),
    )
    .map(([raw, write]) => write(raw));
