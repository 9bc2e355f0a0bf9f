/** Reports into the tables: the books of the ports that this process works on, and the import values. */
import type { PortReport, SourceReport } from '../calls/observation.ts';
import type { Port } from '../reference/ports.ts';
import type { Instant } from '../reference/time.ts';
import type { Refusal, SourceDeclaration } from '../sources/source.ts';
import type { CoveredPort } from '../store/ports.ts';
import type { PortStores } from './held-port.ts';
import { inParallel } from './parallel.ts';
import { PortBook } from './port-book.ts';
import { applyTradeReport, type TradeStores } from './trade-book.ts';

export interface ReportWriterParts extends PortStores, TradeStores {
  readonly findPort: (code: string) => Port | undefined;
}

export interface Written {
  readonly changed: number;
  /** Reports that were left out. */
  readonly refusals: readonly Refusal[];
}

export interface ReportWriter {
  /** Sees that the source's ports have rows; those that the port reference lacks are told and left out. */
  register(declaration: SourceDeclaration, keep: () => Promise<void>): Promise<readonly Refusal[]>;
  /**
   * Writes what the reports change. One of a port that is not covered costs only itself. `keep` comes before each
   * write and throws when it is no longer this pass's to make.
   */
  write(reports: readonly SourceReport[], keep: () => Promise<void>): Promise<Written>;
  /** Drops what is in memory, when it may be ahead of the tables. */
  forget(): void;
}

/** Ports of one reply that are worked on at the same time. */
const PARALLEL_PORTS = 4;

/** A book holds a port's calls of 35 days; there are never more of them than the deployment covers ports. */
export function createReportWriter(parts: ReportWriterParts): ReportWriter {
  const books = new Map<string, PortBook>();
  const registered = new Map<string, readonly Refusal[]>();

  async function bookOf(port: string, asOfAt: Instant): Promise<PortBook | undefined> {
    const row = await parts.ports.get(port, true);
    if (row === undefined) return undefined;
    const held = books.get(port);
    if (held?.isCurrent(row)) return held;
    const book = await PortBook.open(parts, row, asOfAt);
    books.set(port, book);
    return book;
  }

  return {
    async register({ id, ports }, keep) {
      const known = registered.get(id);
      if (known !== undefined) return known;
      const found = ports.map((code) => ({ code, port: parts.findPort(code) }));
      const covered = found.flatMap(({ code, port }): CoveredPort[] => {
        if (port === undefined) return [];
        const { name, countryCode, latitude, longitude } = port;
        return [{ port: code, name, countryCode, latitude, longitude, sources: [id] }];
      });
      const refusals = found
        .filter(({ port }) => port === undefined)
        .map(({ code }) => ({ reason: 'unknown-port', detail: `the port reference lacks ${code}` }));
      await parts.ports.register(covered, keep);
      registered.set(id, refusals);
      return refusals;
    },

    async write(reports, keep) {
      const byPort = new Map<string, PortReport[]>();
      const refusals: Refusal[] = [];
      let changed = 0;
      for (const report of reports) {
        if (report.kind === 'trade') {
          changed += await applyTradeReport(parts, report, keep);
          continue;
        }
        const ofPort = byPort.get(report.port);
        if (ofPort) ofPort.push(report);
        else byPort.set(report.port, [report]);
      }
      // Ports do not depend on one another; the reports of one keep their order.
      await inParallel([...byPort], PARALLEL_PORTS, async ([port, ofPort]) => {
        const [first] = ofPort;
        const book = first && (await bookOf(port, first.observedAt));
        if (book === undefined) {
          refusals.push({ reason: 'uncovered-port', detail: `${port} is reported but not covered` });
          return;
        }
        const calls = await book.apply(ofPort, keep);
        changed += calls;
      });
      return { changed, refusals };
    },

    forget() {
      books.clear();
      registered.clear();
    },
  };
}
