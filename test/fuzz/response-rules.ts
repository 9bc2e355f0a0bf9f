/** Rules for every response and every log line, whatever the request. */
import { parse } from 'csv-parse/sync';
import { templateOf } from '../conformance/contract-document.ts';
import { validateExchange } from '../conformance/contract-validator.ts';

export interface RawResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Asked {
  readonly method: string;
  /** Path as routes are matched against it, without the query; undefined where no route can have been matched. */
  readonly path: string | undefined;
  /** Header values that the client chose. */
  readonly sent: readonly string[];
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Visible ASCII and the blank: nothing that could end a header line, or that readers see differently. */
const SAFE_VALUE = /^[\x20-\x7e]*$/;
/** How spreadsheets know a formula; a number may begin with a minus. */
const FORMULA = /^(?:[=+@\t\r]|-(?!\d))/;

function csvFaults(body: string): string[] {
  const rows: string[][] = parse(body, {
    record_delimiter: '\n',
    relax_column_count: false,
    relax_quotes: false,
  });
  return rows.flat().flatMap((cell) => {
    if (FORMULA.test(cell)) return [`the cell ${JSON.stringify(cell)} would be a formula`];
    return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(cell) ? ['a cell has a control character'] : [];
  });
}

/** The ways in which `response` is wrong; none when it is right. */
export function responseFaults(
  { method, path, sent }: Asked,
  { status, headers, body }: RawResponse,
): readonly string[] {
  const id = headers['x-request-id'] ?? '';
  const template = path === undefined ? undefined : templateOf(path);
  const faults = [...validateExchange({ method, template, status, headers, body })];
  if (status >= 500) faults.push(`status ${status}`);
  if (!UUID.test(id)) faults.push(`x-request-id is ${JSON.stringify(id)}`);
  if (sent.some((value) => value.toLowerCase().includes(id.toLowerCase())))
    faults.push('x-request-id was chosen by the client');
  for (const [name, value] of Object.entries(headers))
    if (!SAFE_VALUE.test(value)) faults.push(`header ${name} is ${JSON.stringify(value)}`);
  if (headers['content-type']?.startsWith('text/csv') && body !== '') faults.push(...csvFaults(body));
  return faults;
}

/** The faults of a function's output for one request: it is not one log line, or it contains a secret. */
export function logFaults(printed: string, secrets: readonly string[]): readonly string[] {
  const faults: string[] = [];
  if (!printed.endsWith('\n') || printed.indexOf('\n') !== printed.length - 1) faults.push('not one line');
  try {
    const line: unknown = JSON.parse(printed);
    if (typeof line !== 'object' || line === null || Array.isArray(line)) faults.push('no JSON object');
  } catch {
    faults.push('no JSON');
  }
  // Shorter ones are not keys, and occur by chance.
  if (secrets.some((secret) => secret.length >= 16 && printed.includes(secret)))
    faults.push('it contains a key');
  return faults.map((fault) => `log line ${JSON.stringify(printed.slice(0, 300))}: ${fault}`);
}

/** Thrown when something is wrong, with all that is. */
export function refuseFaults(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join('; '));
}
