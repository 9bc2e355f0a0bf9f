/** Altered replies of an upstream: each lie is a pure change of a good reply's files. */
import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../core/reference/time.ts';
import type { FetchedFiles } from '../../core/upstream/source.ts';
import { type Layout, mapFiles, type Row } from './reply-layouts.ts';

export interface Lie {
  /** Row of the results. */
  readonly kind: string;
  /** List and field, where the lie changes only one. */
  readonly what: string;
  alter(files: FetchedFiles): FetchedFiles;
}

/** The parts of a reply that a lie changes. */
export interface Subject {
  readonly layout: Layout;
  /** Fields by list. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Fields that name the vessel, the call, the port or the product. */
  readonly names: readonly string[];
}

type Change = (value: string, field: string) => unknown;

/** The texts and numbers of a field changed; empty ones stay. */
const eachValue =
  (change: Change) =>
  (field: string) =>
  (row: Row): Row => {
    const value = row[field];
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return row;
    const changed = change(String(value), field);
    const isNumber = typeof value === 'number' && Number.isFinite(Number(changed));
    return { ...row, [field]: isNumber && typeof changed === 'string' ? Number(changed) : changed };
  };

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
/** A time or month in a layout of the sources, in parts. */
const TIME =
  /^(?<year>\d{4})(?<a>[-/]?)(?<month>\d\d)(?:\k<a>(?<day>\d\d)(?:(?<t>[ T]?)(?<hour>\d\d)(?<b>:?)(?<minute>\d\d)(?<rest>.*))?)?$/;
const NAMED_TIME = /^(\d\d)-([A-Z]{3})-(\d{4}) (\d\d):(\d\d)$/;

interface Clock {
  readonly at: number;
  /** In the layout that it was read in. */
  write(at: number): string;
}

function clockIn(value: string): Clock | undefined {
  const named = NAMED_TIME.exec(value);
  if (named) {
    const [, day, name = '', year, hour, minute] = named;
    return {
      at: Date.UTC(Number(year), MONTHS.indexOf(name), Number(day), Number(hour), Number(minute)),
      write: (at) => {
        const [y, m = '', d] = new Date(at).toISOString().slice(0, 10).split('-');
        return `${d}-${MONTHS[Number(m) - 1]}-${y} ${new Date(at).toISOString().slice(11, 16)}`;
      },
    };
  }
  const parts = TIME.exec(value)?.groups;
  if (parts === undefined || Number(parts.year) < 1980 || Number(parts.year) > 2050) return undefined;
  // Six digits are more likely an amount than a month.
  if (parts.a === '' && parts.minute === undefined) return undefined;
  const { year, a = '', month, day = '', t = '', hour = '', b = '', minute = '', rest = '' } = parts;
  return {
    at: Date.UTC(Number(year), Number(month) - 1, Number(day || 1), Number(hour || 0), Number(minute || 0)),
    write: (at) => {
      const iso = new Date(at).toISOString();
      const date = [iso.slice(0, 4), iso.slice(5, 7), ...(day ? [iso.slice(8, 10)] : [])].join(a);
      return hour ? `${date}${t}${iso.slice(11, 13)}${b}${iso.slice(14, 16)}${rest}` : date;
    },
  };
}

const withClock =
  (write: (clock: Clock) => string): Change =>
  (value) => {
    const clock = clockIn(value);
    return clock === undefined ? value : write(clock);
  };

const shifted = (hours: number): Change => withClock(({ at, write }) => write(at + hours * HOUR_MS));

const withNumber =
  (write: (value: string) => unknown): Change =>
  (value) =>
    /^-?\d+(?:\.\d+)?$/.test(value) && clockIn(value) === undefined ? write(value) : value;

const iso = (at: number): string => new Date(at).toISOString();
const european = (at: number): string =>
  `${iso(at).slice(8, 10)}.${iso(at).slice(5, 7)}.${iso(at).slice(0, 4)} ${iso(at).slice(11, 16)}`;

const emptied = (value: unknown): unknown => {
  if (Array.isArray(value)) return [];
  return typeof value === 'number' ? null : '';
};

/** Lies about one field of every row. */
const FIELD_LIES: Readonly<Record<string, (field: string) => (row: Row) => Row>> = {
  dropped: (field) => (row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== field)),
  renamed: (field) => (row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name === field ? `${name}_V2` : name, value]),
    ),
  emptied: (field) => (row) => ({ ...row, [field]: emptied(row[field]) }),
  doubled: (field) => (row) => ({ ...row, [field]: [row[field], row[field]] }),
  'in another case': eachValue((value) => (/^[ -~]*$/.test(value) ? value.toLowerCase() : value)),
  'as text': (field) => (row) =>
    typeof row[field] === 'number' ? { ...row, [field]: String(row[field]) } : row,
  'the word null': eachValue(() => 'null'),
  'times reformatted': eachValue(withClock(({ at }) => european(at))),
  'times as seconds': eachValue(withClock(({ at }) => String(at / 1000))),
  'times 8 h ahead': eachValue(shifted(8)),
  'times 8 h behind': eachValue(shifted(-8)),
  'times 5 h 30 min behind': eachValue(shifted(-5.5)),
  'times 1 h behind': eachValue(shifted(-1)),
  'times of next year': eachValue(shifted(365 * 24)),
  'times of 1970': eachValue(withClock(({ write }) => write(0))),
  'times without the hour': eachValue(withClock(({ at, write }) => write(at - (at % DAY_MS)))),
  'numbers with separators': eachValue(
    withNumber((value) => value.replaceAll(/\B(?=(?:\d{3})+(?:\.|$))/g, ',')),
  ),
  'numbers with a decimal comma': eachValue(withNumber((value) => `${value.replace(/\..*/, '')},00`)),
  'numbers times 1,000': eachValue(withNumber((value) => String(Number(value) * 1000))),
  'numbers by 1,000': eachValue(withNumber((value) => String(Math.round(Number(value) / 1000)))),
  'numbers negative': eachValue(withNumber((value) => `-${value}`)),
  'one value for all': (field) => {
    let first: unknown;
    return (row) => {
      first ??= row[field];
      return { ...row, [field]: first };
    };
  },
  'values a row too low': (field) => {
    let last: unknown;
    return (row) => {
      const moved = { ...row, [field]: last ?? row[field] };
      last = row[field];
      return moved;
    };
  },
};

/** Other digits and letters, one for one. */
const disguised = (value: string): string =>
  value.replaceAll(/[0-9A-Z]/g, (sign) =>
    /\d/.test(sign)
      ? String((Number(sign) + 5) % 10)
      : String.fromCharCode(65 + ((sign.charCodeAt(0) - 52) % 26)),
  );

const allFields =
  (fields: readonly string[], change: Change) =>
  (row: Row): Row =>
    fields.reduce((changed, field) => eachValue(change)(field)(changed), row);

type ListLie = (rows: readonly Row[], subject: Subject, fields: readonly string[]) => readonly Row[];

/** Lies about all rows of one list. */
const LIST_LIES: Readonly<Record<string, ListLie>> = {
  emptied: () => [],
  'one row left': (rows) => rows.slice(0, 1),
  'every second row': (rows) => rows.filter((_, index) => index % 2 === 0),
  'cut in the middle': (rows) => rows.slice(0, Math.ceil(rows.length / 2)),
  'last third lost': (rows) => rows.slice(0, Math.ceil((rows.length * 2) / 3)),
  'each row twice': (rows) => rows.flatMap((row) => [row, row]),
  'in reverse': (rows) => [...rows].reverse(),
  'ten times the rows': (rows, { names }, fields) => {
    const named = fields.filter((field) => names.includes(field));
    return Array.from({ length: 10 }, (_, copy) =>
      rows.map(copy === 0 ? (row) => row : allFields(named, (value) => tenfold(value, copy))),
    ).flat();
  },
  'of another month': (rows, _, fields) => rows.map(allFields(fields, shifted(-30 * 24))),
  'other vessels': (rows, { names }, fields) =>
    rows.map(
      allFields(
        fields.filter((field) => names.includes(field)),
        disguised,
      ),
    ),
};

const tenfold = (value: string, copy: number): string =>
  value.replace(/(\d)(\D*)$/, (_, digit: string, rest: string) => `${(Number(digit) + copy) % 10}${rest}`);

const page = (title: string, body: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;

/** Lies about whole files, as received with status 200. */
const FILE_LIES: Readonly<Record<string, (text: string) => string>> = {
  'a web page': () => page('Maintenance', '<p>We are back at 06:00.</p>'),
  'a login page': () => page('Sign in', '<form action="/login"><input name="user"></form>'),
  'an error in its own format': (text) =>
    text.trimStart().startsWith('<') ? '<?xml version="1.0"?><error>busy</error>' : '{"error":"busy"}',
  nothing: () => '',
  'an empty document': (text) => (text.trimStart().startsWith('<') ? '<?xml version="1.0"?>' : '[]'),
  'cut off': (text) => text.slice(0, Math.floor(text.length * 0.6)),
  'in UTF-16': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').toString('latin1'),
  'with a byte order mark': (text) => `\u00ef\u00bb\u00bf${text}`,
  'encoded twice': (text) => Buffer.from(text, 'utf8').toString('latin1'),
  'the document twice': (text) => `${text}${text.replace(/^\s*<\?xml[^>]*>/, '')}`,
  'names in another case': (text) =>
    text.trimStart().startsWith('<')
      ? text.replaceAll(/<\/?\w+>/g, (tag) => tag.toLowerCase())
      : text.replaceAll(/"\w+"(?=\s*:)/g, (name) => name.toUpperCase()),
  'ten times the size': (text) => `${text}${' '.repeat(9 * text.length)}`,
  'beyond every limit': (text) => `${text}${' '.repeat(40_000_000)}`,
};

/** Every lie about a subject; some change nothing in a reply. */
export function liesAbout(subject: Subject): Lie[] {
  const { layout } = subject;
  const lists = Object.entries(subject.fields);
  const fieldLies = lists.flatMap(([list, fields]) =>
    fields.flatMap((field) =>
      Object.entries(FIELD_LIES).map(
        ([kind, lie]): Lie => ({
          kind: `a field ${kind}`,
          what: `${list}.${field}`,
          alter: (files) => layout.edit(files, list, (rows) => rows.map(lie(field))),
        }),
      ),
    ),
  );
  const swaps = lists.flatMap(([list, fields]) =>
    fields.slice(1).map((field, index): Lie => {
      const other = fields[index] ?? field;
      return {
        kind: 'two fields exchanged',
        what: `${list}.${other} and ${field}`,
        alter: (files) =>
          layout.edit(files, list, (rows) =>
            rows.map((row) => ({ ...row, [field]: row[other], [other]: row[field] })),
          ),
      };
    }),
  );
  const listLies = lists.flatMap(([list, fields]) =>
    Object.entries(LIST_LIES).map(
      ([kind, lie]): Lie => ({
        kind: `a list, ${kind}`,
        what: list,
        alter: (files) => layout.edit(files, list, (rows) => lie(rows, subject, fields)),
      }),
    ),
  );
  const every = (lie: ListLie) => (files: FetchedFiles) =>
    lists.reduce(
      (changed, [list, fields]) => layout.edit(changed, list, (rows) => lie(rows, subject, fields)),
      files,
    );
  const allLists = Object.entries(LIST_LIES).map(
    ([kind, lie]): Lie => ({
      kind: `all lists, ${kind}`,
      what: 'all lists',
      alter: every(lie),
    }),
  );
  const fileLies = Object.entries(FILE_LIES).map(
    ([kind, lie]): Lie => ({
      kind: `all files: ${kind}`,
      what: 'all files',
      alter: (files) => mapFiles(files, lie),
    }),
  );
  return [...fieldLies, ...swaps, ...listLies, ...(lists.length > 1 ? allLists : []), ...fileLies];
}

/** Whether a lie changes the reply: rewriting a list changes its bytes and not its content. */
export function changesOf({ layout, fields }: Subject, files: FetchedFiles): (lie: Lie) => boolean {
  const lists = Object.keys(fields);
  const rewritten = (some: readonly string[]): string =>
    digest(some.reduce((changed, list) => layout.edit(changed, list, (rows) => rows), files));
  const same = new Set([digest(files), rewritten(lists), ...lists.map((list) => rewritten([list]))]);
  return ({ alter }) => !same.has(digest(alter(files)));
}

const digest = (files: FetchedFiles): string => {
  const hash = createHash('sha256');
  for (const [name, bytes] of files) hash.update(name).update(bytes);
  return hash.digest('hex');
};
