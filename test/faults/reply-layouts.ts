/** Takes the files of a reply apart into lists of rows and puts them together again, by layout of the source. */
import type { FetchedFiles } from '../../core/upstream/source.ts';

/** Field names and values; a list of texts is a field that the row has several times. */
export type Row = Readonly<Record<string, unknown>>;
type Edit = (rows: readonly Row[]) => readonly Row[];

export interface Layout {
  /** The reply with one of its lists edited, in every file that has it. */
  edit(files: FetchedFiles, list: string, edit: Edit): FetchedFiles;
}

/** Byte for byte, which keeps Big5 intact: its second bytes are never `<`, `>` or a quote. */
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

export const mapFiles = (
  files: FetchedFiles,
  change: (text: string, name: string) => string | undefined,
): FetchedFiles =>
  new Map(
    [...files].map(([name, bytes]) => {
      const text = name === 'request.json' ? undefined : change(textOf(bytes), name);
      return [name, text === undefined ? bytes : bytesOf(text)] as const;
    }),
  );

/** Lists are root elements, with one level of elements in each row. */
export function xmlLayout(rowTag: string): Layout {
  const rowsPattern = new RegExp(`<${rowTag}>([\\s\\S]*?)</${rowTag}>`, 'g');
  const written = (row: Row): string => {
    const fields = Object.entries(row).flatMap(([tag, value]) =>
      [value].flat().map((text) => `<${tag}>${String(text ?? '')}</${tag}>`),
    );
    return `<${rowTag}>${fields.join('')}</${rowTag}>`;
  };
  return {
    edit: (files, list, edit) =>
      mapFiles(files, (text) => {
        const head = new RegExp(`^[\\s\\S]*?<${list}>`).exec(text)?.[0];
        if (head === undefined) return undefined;
        const rows = [...text.matchAll(rowsPattern)].map(([, inner = '']) =>
          Object.fromEntries(
            [...inner.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, tag = '', value = '']) => [tag, value]),
          ),
        );
        return `${head}${edit(rows).map(written).join('\n')}</${list}>`;
      }),
  };
}

const isRecord = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `portCalls` of an envelope, and within each the rows of `portAreaDetails`. */
export const callsLayout: Layout = {
  edit: (files, list, edit) =>
    mapFiles(files, (text) => {
      const envelope: unknown = JSON.parse(text);
      if (!isRecord(envelope) || !Array.isArray(envelope.portCalls)) return undefined;
      const calls = envelope.portCalls as Row[];
      const portCalls =
        list === 'portCalls'
          ? edit(calls)
          : calls.map((call) => ({ ...call, [list]: edit((call[list] ?? []) as Row[]) }));
      return JSON.stringify({ ...envelope, portCalls });
    }),
};

/** A table of texts, with the names of its columns in the first row. */
export const tableLayout: Layout = {
  edit: (files, _list, edit) =>
    mapFiles(files, (text) => {
      const [header = [], ...cells] = JSON.parse(text) as unknown[][];
      const rows = edit(
        cells.map((row) => Object.fromEntries(row.map((cell, at) => [String(header[at]), cell]))),
      );
      const columns = Object.keys(rows[0] ?? Object.fromEntries(header.map((name) => [name, 0])));
      return JSON.stringify([columns, ...rows.map((row) => columns.map((column) => row[column] ?? null))]);
    }),
};
