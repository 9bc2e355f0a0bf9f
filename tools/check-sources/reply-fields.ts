/** Compares the field names in the files of a reply, in any format, with the declared ones. */
import type { FetchedFiles, SourceDeclaration } from '../../core/upstream/source.ts';

const LEAF = /<([A-Za-z_][\w.-]*)(?:\s[^<>]*)?(?:\/>|>[^<]*<\/\1>)/g;

function jsonNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  // A table has the names of its columns in the first row.
  if (Array.isArray(value)) return isColumns(value[0]) ? value[0] : value.flatMap(jsonNames);
  return Object.entries(value).flatMap(([name, inner]) => [name, ...jsonNames(inner)]);
}

const isColumns = (row: unknown): row is string[] =>
  Array.isArray(row) && row.every((name) => typeof name === 'string');

function namesIn(text: string): string[] {
  const first = text.trimStart()[0];
  if (first === '<') return [...text.matchAll(LEAF)].map(([, name = '']) => name);
  if (first !== '{' && first !== '[')
    return (text.split(/\r?\n/, 1)[0] ?? '').split(',').map((name) => name.trim());
  try {
    return jsonNames(JSON.parse(text));
  } catch {
    // The judgement reports that the file cannot be read.
    return [];
  }
}

/** Files that the fetch itself wrote; they are not part of the reply. */
const NOTES = new Set(['request.json', 'day.json', 'health.txt']);

export function replyFields(files: FetchedFiles): ReadonlySet<string> {
  // Byte for byte: names are ASCII in every encoding of the sources.
  const texts = [...files].flatMap(([name, bytes]) =>
    NOTES.has(name) ? [] : [Buffer.from(bytes).toString('latin1')],
  );
  return new Set(texts.flatMap(namesIn));
}

/** Declared fields that a reply lacks (`A or B` needs one of them), of the lists that the parser has read; of all where it read none. */
export function missingFields(
  { fields }: Pick<SourceDeclaration, 'fields'>,
  found: ReadonlySet<string>,
  lists: readonly string[] = [],
): string[] {
  const isNamed = fields.some(({ list }) => lists.includes(list));
  const missing = fields.filter(
    ({ list, name }) =>
      (!isNamed || lists.includes(list)) && !name.split(' or ').some((alternative) => found.has(alternative)),
  );
  return [...new Set(missing.map(({ name }) => name))];
}
