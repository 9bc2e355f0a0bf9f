/** Parses the sample's files into reports; only a bad file or record is refused. */
import { ZodError } from 'zod';
import type { CallBatch, CallRecord, SourceReport, TradeReport } from '../../calls/observation.ts';
import { formatInstant, HOUR_MS, type Instant } from '../../reference/time.ts';
import { type ArchivedFetch, type ParsedFetch, type Refusal, RefusedReply } from '../../upstream/source.ts';
import { callFileShape, portOfCallFile, readCallEntry } from './call-file.ts';
import { SAMPLE_DECLARATION } from './declaration.ts';
import { IMPORT_FILE_NAME, readImportFile } from './import-series.ts';

/** A file may be this much newer than its fetch, because clocks differ. */
const CLOCK_TOLERANCE_MS = HOUR_MS;

/** Runs `read`; a fault of the file's form or times becomes a refusal, any other is rethrown. */
function taken<Content>(name: string, refusals: Refusal[], read: () => Content): Content | undefined {
  try {
    return read();
  } catch (error) {
    const isForm = error instanceof ZodError || error instanceof SyntaxError;
    if (!isForm && !(error instanceof RangeError)) throw error;
    const what = error instanceof ZodError ? issues(error) : error.message;
    refusals.push({
      reason: isForm ? 'malformed' : 'impossible-time',
      detail: `${name}: ${what}`.slice(0, 200),
    });
    return undefined;
  }
}

const issues = (error: ZodError): string =>
  error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('; ');

const json = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

function readCalls(name: string, bytes: Uint8Array, fetchedAt: Instant, refusals: Refusal[]): CallBatch {
  const { port, coveredFrom, observed, calls } = callFileShape.parse(json(bytes));
  if (port !== portOfCallFile(name) || !SAMPLE_DECLARATION.ports.includes(port))
    throw new SyntaxError(`has calls of ${port}`);
  if (observed > fetchedAt + CLOCK_TOLERANCE_MS || coveredFrom > observed)
    throw new RangeError(`covers ${formatInstant(coveredFrom)} to ${formatInstant(observed)}`);
  const records = calls
    .map((entry) => taken(name, refusals, () => readCallEntry(entry, observed)))
    .filter((record): record is CallRecord => record !== undefined);
  return { kind: 'call-batch', port, observedAt: observed, coveredFromAt: coveredFrom, records };
}

function readFile(
  name: string,
  bytes: Uint8Array,
  fetchedAt: Instant,
  refusals: Refusal[],
): CallBatch | TradeReport {
  if (name === IMPORT_FILE_NAME) return readImportFile(json(bytes), fetchedAt);
  if (portOfCallFile(name) === undefined) throw new SyntaxError('no file of the sample');
  return readCalls(name, bytes, fetchedAt, refusals);
}

const byTime = (a: SourceReport, b: SourceReport): number => a.observedAt - b.observedAt;

/** Reports in time order. Throws `RefusedReply` when no file can be used. */
export function parseSample({ fetchedAt, files }: ArchivedFetch): ParsedFetch {
  const refusals: Refusal[] = [];
  const reports = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bytes]) => taken(name, refusals, () => readFile(name, bytes, fetchedAt, refusals)))
    .filter((report): report is CallBatch | TradeReport => report !== undefined)
    .sort(byTime);
  const newest = reports.at(-1);
  if (!newest) throw new RefusedReply('empty', refusals[0]?.detail ?? 'the fetch has no file');
  return { asOfAt: newest.observedAt, reports, refusals };
}
