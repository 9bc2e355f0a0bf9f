/** What the figures of a port rest on, in one line: source, evidence, age and error. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import { durationText, type ListedSource } from '../api/source-list.ts';
import { element } from '../view/element.ts';
import { EVIDENCE_TEXT, evidenceBadge, offlineText } from '../view/evidence.ts';

type Child = Node | string;

/** How exact a time of a stay is, by the method that the port's figures are made by; undefined before there are figures. */
export function errorText(
  method: PortRecord['method'],
  sources: readonly Pick<ListedSource, 'everyMinutes'>[],
): string | undefined {
  if (method === 'records') return 'times as stated, to 0.05 h';
  if (method === 'positions') return 'stays found from positions';
  if (method !== 'polls' || sources.length === 0) return undefined;
  const everyMinutes = Math.max(...sources.map((source) => source.everyMinutes));
  return `each end of a stay to ${durationText(everyMinutes / 2)}`;
}

const ERROR_PAGES = { records: 'accuracy', polls: 'accuracy', positions: 'ais-accuracy' } as const;

const sourceLink = ({ name, homepage }: ListedSource): Child =>
  homepage === undefined ? name : element('a', { href: homepage, rel: 'noopener' }, name);

const separated = (parts: readonly (readonly Child[])[]): Child[] =>
  parts.flatMap((part, i) => (i === 0 ? [...part] : [' · ', ...part]));

/** `now` is the service's clock in epoch milliseconds; recorded figures have no age. */
export function restsOn(
  port: PortRecord,
  listed: readonly ListedSource[],
  { now, isRecorded }: { readonly now: number; readonly isRecorded: boolean },
): Child[] {
  const { evidence, method, as_of } = port;
  const sources = listed.filter(({ id }) => port.sources.includes(id));
  const names = sources.flatMap((source, i): Child[] => [...(i === 0 ? [] : [', ']), sourceLink(source)]);
  const error = errorText(method, sources);
  const age =
    as_of === null || isRecorded
      ? []
      : [[`newest observation ${durationText(Math.max(0, (now - Date.parse(as_of)) / 60_000))} ago`]];
  return [
    'Rests on ',
    ...separated([
      names.length === 0 ? [port.sources.join(', ')] : names,
      [evidenceBadge(evidence), ` ${EVIDENCE_TEXT[evidence]}${offlineText(listed, port.sources)}`],
      ...age,
      ...(error === undefined || method === null
        ? []
        : [[element('a', { href: `/docs/${ERROR_PAGES[method]}.html` }, error)]]),
    ]),
  ];
}
