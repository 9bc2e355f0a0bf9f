/** Cyclones at US ports, as a part of the accuracy page: losses found, delay and false alerts of the daily rule. */
import { quantile } from '../../core/metrics/waits.ts';
import { addDays } from '../../core/reference/time.ts';
import { type FullTable, type Section, svgPlot, table, tableLink } from '../report.ts';
import { mean } from '../scoring.ts';
import { LEAST_USUAL, USUAL_DAYS, type UsualDays } from './daily-rule.ts';
import {
  type Alerts,
  alertsOf,
  alertsOfAll,
  lowestDay,
  type StudiedPort,
  studyPorts,
  type Years,
} from './study.ts';
import { type CyportTables, readCyport } from './tables.ts';

export const CYCLONES = { id: 'cyclones', title: 'Cyclones at US ports' } as const;

/** The rule was chosen on these years, and has not seen those after them. */
const CHOSEN: Years = { from: '2016-01-01', to: '2019-12-31' };
const LATER: Years = { from: addDays(CHOSEN.to, 1), to: '9999-12-31' };

/** Shares of the usual count at which the rule alerts. */
const HALF = { share: 0.5, name: 'half' };
const SHARES = [{ share: 0.25, name: 'a quarter' }, HALF];

const DAYS_OF_QUARTER = 365.25 / 4;

interface Bounds {
  readonly name: string;
  readonly from: number;
  readonly below: number;
}

const LARGE: Bounds = { name: '10 and more', from: 10, below: Number.POSITIVE_INFINITY };
const VESSELS: readonly Bounds[] = [
  LARGE,
  { name: '5 to 9', from: 5, below: 10 },
  { name: '3 and 4', from: LEAST_USUAL, below: 5 },
];
const LOSSES: readonly Bounds[] = [
  { name: 'three quarters and more', from: 0.75, below: Number.POSITIVE_INFINITY },
  { name: 'half to three quarters', from: 0.5, below: 0.75 },
  { name: 'a quarter to half', from: 0.25, below: 0.5 },
];

/** Other choices of the usual count, for seasons and for rest on weekdays. */
const USUALS: readonly { readonly name: string; readonly days: UsualDays }[] = [
  { name: 'the 28 days before', days: USUAL_DAYS },
  { name: 'the year before', days: { known: 365, step: 1 } },
  { name: 'the same weekday of half a year', days: { known: 26, step: 7 } },
];

const isIn = (value: number, { from, below }: Bounds): boolean => from <= value && value < below;

const sized = (ports: readonly StudiedPort[], bounds: Bounds): StudiedPort[] =>
  ports.filter(({ vessels }) => isIn(vessels, bounds));

const lossesIn = ({ losses }: Alerts, bounds: Bounds): Alerts['losses'] =>
  losses.filter(({ loss }) => isIn(loss.size, bounds));

function foundText(losses: Alerts['losses']): string {
  const found = losses.filter(({ delayDays }) => delayDays !== undefined);
  return losses.length === 0 ? '-' : `${found.length} of ${losses.length}`;
}

function delayText({ losses }: Alerts): string {
  const delays = losses.flatMap(({ delayDays }) => delayDays ?? []).sort((a, b) => a - b);
  return delays.length === 0 ? '-' : `${quantile(delays, 0.5)}, ${delays.at(-1)}`;
}

const falseRate = ({ falseAlerts, calmDays }: Alerts): string =>
  ((falseAlerts / calmDays) * DAYS_OF_QUARTER).toFixed(2);

/** The periods of the tables in which a cyclone passed. */
const periodsIn = ({ passages }: CyportTables): Years[] =>
  [CHOSEN, LATER].filter((years) => passages.some(({ from }) => years.from <= from && from <= years.to));

const yearsText = ({ from, to }: Years, { days }: CyportTables): string =>
  [from, [to, days.at(-1) ?? to].sort()[0] ?? to].map((day) => day.slice(0, 'YYYY'.length)).join(' to ');

/** Rows of the page: vessels, ports and share, then what the rule finds. */
function resultRows(years: string, ports: readonly StudiedPort[]): string[][] {
  return VESSELS.flatMap((bounds) =>
    SHARES.map(({ share, name }) => {
      const group = sized(ports, bounds);
      const alerts = alertsOfAll(group, share);
      const found = LOSSES.map((size) => foundText(lossesIn(alerts, size)));
      return [years, bounds.name, String(group.length), name, ...found, delayText(alerts), falseRate(alerts)];
    }),
  );
}

/** A row for each loss of a quarter and more. */
function lossRows(ports: readonly StudiedPort[]): string[][] {
  return ports
    .filter(({ vessels }) => vessels >= LEAST_USUAL)
    .flatMap((port) => {
      const byShare = SHARES.map(({ share }) => alertsOf(port, share).losses);
      return port.losses.flatMap((loss, i) => {
        if (!LOSSES.some((bounds) => isIn(loss.size, bounds))) return [];
        const { usual = 0, share = 0 } = lowestDay(port, loss) ?? {};
        const delays = byShare.map((losses) => losses[i]?.delayDays);
        const cells = [loss.size.toFixed(2), usual.toFixed(1), share.toFixed(2)];
        return [[loss.day, loss.name, ...cells, ...delays.map((days) => String(days ?? 'none'))]];
      });
    })
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}

/** Losses of half and more that are found, and false alerts, at the large ports of `ports`, by how the usual count is made. */
function usualsText(tables: CyportTables, ports: readonly StudiedPort[], years: Years): string {
  const large = new Set(ports.map(({ port }) => port));
  const only = { ...tables, ports: tables.ports.filter(({ port }) => large.has(port)) };
  return USUALS.map(({ name, days }) => {
    const alerts = alertsOfAll(studyPorts(only, years, days), HALF.share);
    const most = alerts.losses.filter(({ loss }) => loss.size >= HALF.share);
    return `${name} ${foundText(most)} at ${falseRate(alerts)}`;
  }).join('; ');
}

/** The share of the losses that alerts at the rate of the calm days would meet. */
function byChance({ losses, falseAlerts, calmDays }: Alerts): number {
  const days = losses.map(({ loss }) => loss.span.to - loss.span.from + 1);
  return (falseAlerts / calmDays) * mean(days);
}

/** @param folder of the tables of CyPort */
export function cyclonesSection(folder: string): Section {
  const tables = readCyport(folder);
  const periods = periodsIn(tables).map((years) => ({
    years,
    text: yearsText(years, tables),
    ports: studyPorts(tables, years),
  }));
  const [first] = periods;
  if (first === undefined) throw new RangeError(`${folder} has no cyclone from ${CHOSEN.from} on`);
  const large = sized(first.ports, LARGE);
  const ofHalf = alertsOfAll(large, HALF.share);
  const judged = VESSELS.map((bounds) => sized(first.ports, bounds).length);
  const few = first.ports.length - judged.reduce((sum, count) => sum + count, 0);
  const losses: FullTable = {
    name: 'cyclones-losses',
    title: 'Each loss of a quarter and more',
    columns: [
      'Day of the largest loss',
      'Port',
      'Loss',
      'Usual count',
      'Lowest share of it',
      ...SHARES.map(({ name }) => `First alert at ${name}, days after`),
    ],
    rows: periods.flatMap(({ ports }) => lossRows(ports)),
  };
  return {
    ...CYCLONES,
    tables: [losses],
    body: [
      `Daily counts of vessels present at ${tables.ports.length} US ports and the losses by cyclone, of CyPort (Kuai et al. 2025,`,
      '[ChenchenMobility/CYPORT](https://github.com/ChenchenMobility/CYPORT), CC BY 4.0, made from AIS of MarineCadastre.gov and from IBTrACS; rates and shares here',
      'are ours). Vessels present are no berthings, so this is a daily rule of the same idea as that of closures, and no served figure: an alert',
      `opens on a day with at most a quarter, or half, of the median of the ${USUAL_DAYS.known} days before, if at most three days of the year before were as low. It uses`,
      'days before only. The rule was chosen on 2016 to 2019; days of 2015 are history.',
      '',
      table(
        [
          'Years',
          'Vessels',
          'Ports',
          'At most',
          ...LOSSES.map(({ name }) => `Losses of ${name}`),
          'Days late: median, most',
          'False alerts a port and quarter',
        ],
        periods.flatMap(({ text, ports }) => resultRows(text, ports)),
      ),
      '',
      'Found: an alert from a day before the cyclone comes, or before the largest loss, to a day after both. Days late: from the day of the largest',
      'loss; a day is known when it is over. False: opened without a cyclone within a week before it came and after the port had recovered.',
      `${few} more ports have fewer than ${LEAST_USUAL} vessels; the rule says nothing there.`,
      '',
      '**What flatters**: the authors computed each loss from the same counts, so the share found says that the rule reads them, not that a port was',
      `closed; the false alerts do not depend on it. At ports of ${LARGE.name} vessels, ${(100 * byChance(ofHalf)).toFixed(0)}% of the losses would be met at half by chance. 18 December to 8`,
      `January is left out, because the counts begin anew each year. ${ofHalf.nearAlerts} alerts near a cyclone that took less, or nothing, count as neither. **What does not**: closures by fog, ice`,
      'or flood are false alerts here. At fewer than ten vessels, half of the usual number is too common to be rare.',
      '',
      `Seasons and weekdays, at ports of ${LARGE.name} vessels in ${first.text}: losses of half and more found, and false alerts, with the usual count of ${usualsText(tables, large, first.years)}.`,
      '',
      tableLink(losses),
    ].join('\n'),
    plot: svgPlot({
      title: 'Lowest count on the days of a cyclone, by the loss that the authors state',
      xLabel: 'largest relative loss',
      yLabel: 'count over the usual one',
      levels: SHARES.map(({ share, name }) => ({ y: share, name })),
      curves: VESSELS.map((bounds) => ({
        name: `${bounds.name} vessels`,
        style: 'dots' as const,
        points: periods.flatMap(({ ports }) =>
          sized(ports, bounds).flatMap((port) =>
            port.losses.map((loss) => [loss.size, lowestDay(port, loss)?.share ?? 0] as const),
          ),
        ),
      })),
    }),
    plotText: 'Lowest share of the usual count by the stated loss, of each port and cyclone',
  };
}
