/** The banner above every view of the explorer: how much of what is shown is measured. */
import { html } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { dayYearText, momentText } from '../view/text.ts';

export type BannerPort = Pick<PortRecord, 'as_of' | 'evidence' | 'sources'>;

interface Statement {
  readonly tone: 'measured' | 'caution';
  readonly title: string;
  readonly text: string;
}

const portsText = (count: number): string => (count === 1 ? '1 port' : `${count} ports`);
const isOrAre = (count: number): string => (count === 1 ? 'is' : 'are');

const dayOf = (instant: string): string => dayYearText.format(Date.parse(instant));

/** Ports of which something has been observed, whose data are not current, on a service that fetches. */
function downStatement(ports: readonly BannerPort[]): Statement | undefined {
  const down = ports.filter(
    ({ as_of, evidence }) => as_of !== null && evidence !== 'observed' && evidence !== 'simulated',
  );
  const newest = down.reduce((latest, { as_of }) => (as_of !== null && as_of > latest ? as_of : latest), '');
  if (newest === '') return undefined;
  const sources = [...new Set(down.flatMap(({ sources: behind }) => behind))].sort();
  return {
    tone: 'caution',
    title: sources.length === 1 ? 'A source is down.' : `${sources.length} sources are down.`,
    text: `The figures of ${portsText(down.length)} are the last good ones, the newest of ${momentText(newest)}: ${sources.join(', ')}.`,
  };
}

function experimentalStatement(ports: readonly BannerPort[]): Statement | undefined {
  const count = ports.filter(({ evidence }) => evidence === 'expected').length;
  if (count === 0) return undefined;
  return {
    tone: 'caution',
    title: 'Experimental.',
    text: `${portsText(count)} can be read by published formats only; no real reply has been read.`,
  };
}

function liveStatement(ports: readonly BannerPort[]): Statement {
  const observed = ports.filter(({ evidence }) => evidence === 'observed').length;
  return {
    tone: observed === 0 ? 'caution' : 'measured',
    title: observed === 0 ? 'Nothing is measured now.' : 'Measured.',
    text: `${observed} of ${portsText(ports.length)} ${isOrAre(observed)} measured by this service, with current data.`,
  };
}

/** Of when the newest figures of the ports are; as long as before they are known, so that nothing moves. */
function spanText(ports: readonly BannerPort[]): string {
  const days = ports.flatMap(({ as_of }) => as_of?.slice(0, 10) ?? []).sort();
  const [first, last] = [days[0], days.at(-1)];
  return first === last && first !== undefined
    ? `the figures are of ${dayOf(first)}.`
    : 'each port as of its own last day.';
}

/** Nothing while the ports are not known. `recordedUntil`: where the clock of a replay stands still, ISO 8601. */
export function bannerStatements(
  ports: readonly BannerPort[],
  recordedUntil: string | undefined,
): readonly Statement[] {
  if (ports.length === 0 && recordedUntil === undefined) return [];
  const simulated = ports.filter(({ evidence }) => evidence === 'simulated').length;
  if (simulated > 0)
    return [
      {
        tone: 'caution',
        title: 'Sample data.',
        text:
          simulated === ports.length
            ? 'Every figure on this page is made up, the import index included.'
            : `The figures of ${portsText(simulated)} are made up.`,
      },
    ];
  const experimental = experimentalStatement(ports);
  if (recordedUntil !== undefined)
    return [
      {
        tone: 'caution',
        title: `Real data, recorded up to ${dayOf(recordedUntil)}.`,
        text: `Not live: ${spanText(ports)}`,
      },
      ...(experimental ? [experimental] : []),
    ];
  return [liveStatement(ports), downStatement(ports), experimental].filter(
    (statement) => statement !== undefined,
  );
}

/** The statements, and where to read more: drawn anew when they change, so that nothing moves, and a screen reader announces them. */
export function banner(ports: readonly BannerPort[], recordedUntil: string | undefined): unknown {
  const statements = bannerStatements(ports, recordedUntil);
  const paragraphs = statements.map(
    ({ tone, title, text }) =>
      html`<p class="statement statement-${tone}"><strong>${title}</strong> ${text}</p>`,
  );
  const content = html`${paragraphs}<a href="/docs/coverage.html">What is covered</a>`;
  return keyed(JSON.stringify(statements), content);
}
