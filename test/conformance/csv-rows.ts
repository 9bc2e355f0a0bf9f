/** CSV as a strict reader sees it. */
import { parse } from 'csv-parse/sync';

/** Rows behind the header; throws when a row has not the header's number of fields, or a quote stands wrong. */
export const rowsOf = (text: string): string[][] =>
  parse(text, { from_line: 2, record_delimiter: '\n', relax_column_count: false, relax_quotes: false });
