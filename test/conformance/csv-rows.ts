/** CSV as a strict reader sees it. */
import { parse } from 'csv-parse/sync';

/** Rows behind the header; throws when a row has not the header's number of fields, or a quote stands wrong. */
export const rowsOf = (text: string): string[][] =>
  parse(text, { from_line: 2, record_delimiter: '\n', relax_column_count: false, relax_quotes: false });

/** The values of a JSON record by column: those of an object in it have a column each, `imported.release` is `imported_release`. Lists of objects are in JSON only. */
export const columnsOf = (record: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      if (Array.isArray(value))
        return value.some((item) => typeof item === 'object' && item !== null) ? [] : [[name, value]];
      if (typeof value !== 'object' || value === null) return [[name, value]];
      return Object.entries(value).map(([inner, own]) => [`${name}_${inner}`, own]);
    }),
  );
