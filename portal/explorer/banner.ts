/** The banner above every view of the explorer: how much of what is shown is measured. */
import { html } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { dateText, latestOf, momentText } from '../view/text.ts';

export type BannerPort = Pick<PortRecord, 'as_of' | 'evidence' | 'sources'>;

interface Statement {
  readonly tone: 'measured' | 'caution';
  readonly title: string;
  readonly text: string;
}

const caution = (title: string, text: string): Statement => ({ tone: 'caution', title, text });

const portsText = (count: number): string => (count === 1 ? '1 port' : `${count} ports`);
const countOf = (ports: readonly BannerPort[], wanted: PortRecord['evidence']): number =>
  ports.filter(({ evidence }) => evidence === wanted).length;

/** Statements on observed ports whose data are not current, on a service that fetches. */
function downStatements(ports: readonly BannerPort[]): Statement[] {
  const down = ports.filter(
    ({ as_of, evidence }) => as_of !== null && evidence !== 'observed' && evidence !== 'given',
  );
  const newest = latestOf(down.map(({ as_of }) => as_of));
  if (newest === undefined) return [];
  const sources = [...new Set(down.flatMap(({ sources: behind }) => behind))].sort();
  const title = sources.length === 1 ? 'A source is down.' : `${sources.length} sources are down.`;
  const text = `The figures of ${portsText(down.length)} are the last good ones, the newest of ${momentText(newest)}: ${sources.join(', ')}.`;
  return [caution(title, text)];
}

function experimentalStatements(ports: readonly BannerPort[]): Statement[] {
  const count = countOf(ports, 'expected');
  const text = `${portsText(count)} can be read by published formats only; no real reply has been read.`;
  return count === 0 ? [] : [caution('Experimental.', text)];
}

function liveStatement(ports: readonly BannerPort[]): Statement {
  const count = countOf(ports, 'observed');
  const text = `${count} of ${portsText(ports.length)} ${count === 1 ? 'is' : 'are'} measured by this service, with current data.`;
  return count === 0
    ? caution('Nothing is measured now.', text)
    : { tone: 'measured', title: 'Measured.', text };
}

/** Says which day the figures are of. The text for days that are still unknown is as long, so that nothing moves when they load. */
function spanText(ports: readonly BannerPort[]): string {
  const days = ports.flatMap(({ as_of }) => as_of?.slice(0, 10) ?? []).sort();
  const [first, last] = [days[0], days.at(-1)];
  return first === last && first !== undefined
    ? `the figures are of ${dateText(first)}.`
    : 'each port as of its own last day.';
}

/** Nothing while the ports are not known. `recordedUntil`: where the clock of a replay stands still, ISO 8601. */
export function bannerStatements(
  ports: readonly BannerPort[],
  recordedUntil: string | undefined,
): readonly Statement[] {
  const simulated = countOf(ports, 'simulated');
  if (simulated > 0) {
    const isAll = simulated === ports.length;
    const text = isAll
      ? 'Every figure on this page is made up, the import index included.'
      : `The figures of ${portsText(simulated)} are made up.`;
    return [caution('Sample data.', text)];
  }
  const experimental = experimentalStatements(ports);
  if (recordedUntil !== undefined) {
    const title = `Real data, recorded up to ${dateText(recordedUntil)}.`;
    return [caution(title, `Not live: ${spanText(ports)}`), ...experimental];
  }
  return ports.length === 0 ? [] : [liveStatement(ports), ...downStatements(ports), ...experimental];
}

/** The statements, and where to read more. Redrawn when they change, so that nothing moves and a screen reader announces them. */
export function banner(ports: readonly BannerPort[], recordedUntil: string | undefined): unknown {
  const statements = bannerStatements(ports, recordedUntil);
  const paragraphs = statements.map(
    ({ tone, title, text }) =>
      html`<p class="statement statement-${tone}"><strong>${title}</strong> ${text}</p>`,
  );
  const content = html`${paragraphs}<a href="/docs/coverage.html">What is covered</a>`;
  return keyed(JSON.stringify(statements), content);
}
