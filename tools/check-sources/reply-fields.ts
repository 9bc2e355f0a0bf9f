/** Compares the field names in the files of a reply, in any format, with the declared ones. */
import type { FetchedFiles, SourceDeclaration } from '../../core/upstream/source.ts';

const LEAF = /<([A-Za-z_][\w.-]*)(?:\s[^<>]*)?(?:\/>|>[^<]*<\/\1>)/g;

function addJsonNames(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) {
    // A table has the names of its columns in the first row.
    const [first] = value;
    if (Array.isArray(first) && first.every((name) => typeof name === 'string'))
      for (const name of first) names.add(name);
    else for (const item of value) addJsonNames(item, names);
  } else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      names.add(name);
      addJsonNames(inner, names);
    }
}

function addNames(text: string, names: Set<string>): void {
  const first = text.trimStart()[0];
  if (first === '<') for (const [, name = ''] of text.matchAll(LEAF)) names.add(name);
  else if (first === '{' || first === '[') {
    try {
      addJsonNames(JSON.parse(text), names);
    } catch {
      // The judgement reports that the file cannot be read.
    }
  } else for (const name of (text.split(/\r?\n/, 1)[0] ?? '').split(',')) names.add(name.trim());
}

/** Notes of the fetch are no part of the reply. */
const NOTES = new Set(['request.json', 'day.json', 'health.txt']);

/** Names of the fields of a reply. */
export function replyFields(files: FetchedFiles): ReadonlySet<string> {
  const names = new Set<string>();
  // Byte for byte: names are ASCII in every encoding of the sources.
  for (const [name, bytes] of files)
    if (!NOTES.has(name)) addNames(Buffer.from(bytes).toString('latin1'), names);
  return names;
}

/**
 * Declared fields that a reply lacks; `A or B` needs one of them. Fields of a list that the reply lacks are not missing.
 * @param lists those that the parser has read; undefined where it could read none
 */
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
