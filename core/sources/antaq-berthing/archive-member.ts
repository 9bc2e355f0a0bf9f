/** The text tables inside ANTAQ's yearly zip files. */
import { unzipSync } from 'fflate';
import { RefusedReply } from '../source.ts';

/** A year's berthings are about 40 MB of text; a member that claims more than this is not a table of them. */
export const MAX_MEMBER_BYTES = 250_000_000;

export type TableKind = 'Atracacao' | 'TemposAtracacao';

export interface Member {
  readonly year: number;
  readonly kind: TableKind;
  readonly text: string;
}

const MEMBER_NAME = /^(?:.*\/)?(\d{4})(Atracacao|TemposAtracacao)\.txt$/;

const decoder = new TextDecoder('utf-8', { fatal: true });

function textOf(name: string, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new RefusedReply('encoding', `${name} is not UTF-8`);
  }
}

/**
 * The tables in a zip; other members are not inflated. Throws `RefusedReply`: `malformed` when it is not a complete
 * zip, `too-large` when a table claims to inflate beyond the limit, `encoding` when one is not UTF-8.
 */
export function readMembers(name: string, zip: Uint8Array): Member[] {
  let tooLarge: string | undefined;
  let members: Record<string, Uint8Array>;
  try {
    members = unzipSync(zip, {
      filter: (member) => {
        if (!MEMBER_NAME.test(member.name)) return false;
        if (member.originalSize <= MAX_MEMBER_BYTES) return true;
        tooLarge = `${member.name} claims ${member.originalSize} bytes`;
        return false;
      },
    });
  } catch {
    throw new RefusedReply('malformed', `${name} is not a complete zip file`);
  }
  if (tooLarge !== undefined) throw new RefusedReply('too-large', `${name}: ${tooLarge}`);
  return Object.entries(members).map(([member, bytes]) => {
    const [, year = '', kind = ''] = MEMBER_NAME.exec(member) ?? [];
    return { year: Number(year), kind: kind as TableKind, text: textOf(member, bytes) };
  });
}
