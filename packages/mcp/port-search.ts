/** Finds ports by what people call them. */
import type { PortRecord } from '../../core/contracts/routes.ts';
import otherNames from '../../core/reference/other-names.json' with { type: 'json' };

const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = otherNames;
const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region' });

/** Letters that have no decomposition into a plain letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe' };

/** Lower-case letters and digits only, without diacritics: `Ust'-Luga` is `ustluga`. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[øłđıßæœ]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Whether the text is the UN/LOCODE, its last three characters, or a part of a name of the port or of its country. */
export function matches({ port, name, country }: PortRecord, search: string): boolean {
  const wanted = plain(search);
  if ([port, port.slice(2)].some((code) => code.toLowerCase() === wanted)) return true;
  const names = [name, ...(OTHER_NAMES[port] ?? []), COUNTRY_NAMES.of(country) ?? ''];
  return names.some((known) => plain(known).includes(wanted));
}
