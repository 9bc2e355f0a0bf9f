/** A contact stands in JSON, in links and in the User-Agent header without any escaping. */
import { describe, expect, it } from '@jest/globals';
import { isContact } from '../../../core/contracts/contact.ts';

describe('isContact', () => {
  it.each(['ops@example.org', 'first.last+port@mail.example.org', 'https://example.org/keys?for=api'])(
    'takes %s',
    (text) => {
      expect(isContact(text)).toBe(true);
      expect(JSON.stringify(text)).toBe(`"${text}"`);
      expect(new Headers({ 'User-Agent': `product (${text})` }).get('user-agent')).toBe(`product (${text})`);
    },
  );

  it.each([
    '',
    'ops',
    'ops@example',
    '@example.org',
    'a@b@example.org',
    'ops@example..org',
    'http://example.org',
    'mailto:ops@example.org',
    'https://',
    'https://example.org/"x',
    'https://example.org/a b',
    'https://exämple.org',
    'ops@example.org\r\nX-Other: 1',
    'ops@example.org)',
  ])('refuses %j', (text) => {
    expect(isContact(text)).toBe(false);
  });
});
