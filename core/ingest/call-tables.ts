/**
 * Tables of calls: a person gives them, so a summary takes the place of a judgement. Each is archived as a fetch of its own, and
 * accepting, correcting or removing one rebuilds its ports from all tables that then count; what was served before stays in the vintages.
 */

import type { CallRecord } from '../calls/observation.ts';
import { addCoverage, type Coverage, isSameCall, openLedger, type PortCall } from '../calls/port-call.ts';
import { type Applied, applyObservation } from '../calls/reconstruct.ts';
import type { Locode } from '../reference/codes.ts';
import {
  type Day,
  dayOf,
  daysBetween,
  endOfDay,
  type Instant,
  type Interval,
  latestOf,
  MINUTE_MS,
  wholeSecond,
} from '../reference/time.ts';
import {
  ABOUT_FILE,
  callTablesDeclaration,
  TABLE_ABOUT,
  TABLE_FILE,
  TABLE_REMOVED,
  type TableAbout,
} from '../sources/call-tables/declaration.ts';
import { PART_STAYS, partsOf, readCallTable } from '../sources/call-tables/table.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import type { SeriesStore } from '../store/series.ts';
import { type GivenTable, type Lease, LeaseLost } from '../store/source-status.ts';
import type { IngestDependencies } from './dependencies.ts';
import { changesBetween, planObservations, readPortState } from './port-state.ts';
import { type AppliedFetch, applyPortPlan } from './port-writes.ts';

const { id: SOURCE } = callTablesDeclaration;
const LEASE_MS = 15 * MINUTE_MS;

/** A table that counts, as of some fetch. */
interface AcceptedTable {
  readonly acceptedAt: Instant;
  readonly about: TableAbout;
}

/** The table as its status states it. */
const givenTable = ({ about }: AcceptedTable): GivenTable => ({
  name: about.name,
  ...(about.publisher !== undefined && { publisher: about.publisher }),
  ...(about.licence !== undefined && { licence: about.licence }),
  ...(about.attribution !== undefined && { attribution: about.attribution }),
  passesOnCalls: about.passesOnCalls,
  ports: Object.keys(about.ports).sort(),
});

/** The table cannot be accepted or removed; the message says why and what to do. */
export class TableRefused extends Error {
  override readonly name = 'TableRefused';
}

/** Another process works on the tables of calls. */
export class TablesBusy extends Error {
  override readonly name = 'TablesBusy';
  constructor() {
    super('another process applies tables of calls: try again when it is done');
  }
}

interface PortOfTables {
  readonly calls: Map<string, CallRecord>;
  readonly coverage: Coverage;
}

async function readJson(archive: RawArchive, fetchedAt: Instant): Promise<unknown> {
  const about = (await archive.read(SOURCE, fetchedAt))?.get(ABOUT_FILE);
  return about === undefined ? undefined : JSON.parse(Buffer.from(about).toString('utf8'));
}

/** What one archived fetch did: the table that it brought, or the name of the one that it removed. */
type TableEvent = AcceptedTable | { readonly removed: string };

async function readEvent(archive: RawArchive, fetchedAt: Instant): Promise<TableEvent | undefined> {
  const content = await readJson(archive, fetchedAt);
  const removal = TABLE_REMOVED.safeParse(content);
  if (removal.success) return removal.data;
  const about = TABLE_ABOUT.safeParse(content);
  return about.success ? { acceptedAt: fetchedAt, about: about.data } : undefined;
}

/** The tables that count after the fetches up to `untilAt`, in the order in which they were accepted. */
async function acceptedTables(
  archive: RawArchive,
  untilAt = Number.MAX_SAFE_INTEGER,
): Promise<AcceptedTable[]> {
  const tables = new Map<string, AcceptedTable>();
  for (const fetchedAt of await archive.fetches(SOURCE, undefined, untilAt)) {
    const event = await readEvent(archive, fetchedAt);
    if (event === undefined) continue;
    const name = 'removed' in event ? event.removed : event.about.name;
    tables.delete(name);
    if (!('removed' in event)) tables.set(name, event);
  }
  return [...tables.values()];
}

async function tableBytes(archive: RawArchive, { acceptedAt, about }: AcceptedTable): Promise<Uint8Array> {
  const bytes = (await archive.read(SOURCE, acceptedAt))?.get(TABLE_FILE);
  if (bytes === undefined) throw new TableRefused(`the archive has lost the table ${about.name}`);
  return bytes;
}

/** The calls of some ports in all tables: of one that several have, the table accepted last counts. */
async function readPorts(
  archive: RawArchive,
  ports: ReadonlySet<string>,
  tables: readonly AcceptedTable[],
): Promise<Map<string, Map<string, CallRecord>>> {
  const found = new Map<string, Map<string, CallRecord>>();
  for (const table of tables) {
    const { acceptedAt, about } = table;
    if (!Object.keys(about.ports).some((port) => ports.has(port))) continue;
    const options = { timeZone: about.timeZone, nowAt: acceptedAt, ports };
    for (const { port, calls } of (await readCallTable(await tableBytes(archive, table), options)).ports) {
      const known = found.get(port) ?? new Map<string, CallRecord>();
      found.set(port, known);
      for (const call of calls) known.set(call.callId, call);
    }
  }
  return found;
}

/** The calls of each port in all of its tables. The ports of one part of the stays are in memory at a time. */
async function* portsOfTables(
  archive: RawArchive,
  ports: readonly Locode[],
  tables: readonly AcceptedTable[],
): AsyncGenerator<readonly [Locode, PortOfTables]> {
  const of = (port: Locode) => tables.flatMap(({ about }) => about.ports[port] ?? []);
  const counts = ports.map(
    (port) => [port, of(port).reduce((sum, { stays = PART_STAYS }) => sum + stays, 0)] as const,
  );
  for (const part of partsOf(counts)) {
    const found = await readPorts(archive, new Set(part), tables);
    for (const port of part) {
      const calls = found.get(port) ?? new Map<string, CallRecord>();
      found.delete(port);
      const spans = of(port).map(({ fromAt, toAt }) => ({ fromAt, toAt }));
      yield [port, { calls, coverage: spans.reduce(addCoverage, [] as Coverage) }];
    }
  }
}

/**
 * The calls of a port from all its records, which are forgotten: a port with a quarter of a million stays has room in memory for
 * one of the two forms.
 */
function reconstructed(port: Locode, records: Map<string, CallRecord>, observedAt: Instant): Applied {
  const observation = {
    kind: 'call-batch',
    port,
    observedAt,
    coveredFromAt: observedAt,
    records: [...records.values()],
  } as const;
  records.clear();
  return applyObservation(openLedger(), observation);
}

/** The record as it was at an instant: without later stays, and open where its stay lasts. Undefined before its first. */
function recordAt(record: CallRecord, at: Instant): CallRecord | undefined {
  const stops = record.stops
    .filter(({ ataAt = at }) => ataAt <= at)
    .map(({ atdAt, ...stop }) => (atdAt === undefined || atdAt > at ? stop : { ...stop, atdAt }));
  const isArrived = record.ataAt !== undefined && record.ataAt <= at;
  return stops.length === 0 && !isArrived ? undefined : { ...record, recordedAt: at, stops };
}

const timesOf = ({ ataAt, stops }: CallRecord): Instant[] =>
  [ataAt, ...stops.flatMap((stop) => [stop.ataAt, stop.atdAt])].filter((at) => at !== undefined);

export interface CallTables {
  /** Archives a table, and rebuilds its ports. Throws `TableRefused`. */
  accept(bytes: Uint8Array, about: TableAbout): Promise<void>;
  /** Removes a table by its name, and rebuilds the ports that it had. Throws `TableRefused`. */
  remove(name: string): Promise<void>;
  /** Applies what is archived and not in the tables yet: after a process died, or into empty tables. */
  catchUp(): Promise<void>;
}

interface CallTableOptions {
  /** Ports whose calls may not be passed on have no stays, so no `dwell`. Unset on one machine, where the tables are one's own. */
  readonly withholdsStays?: boolean;
  readonly onDay?: (port: Locode, day: Day) => void;
}

export function createCallTables(
  dependencies: IngestDependencies,
  { withholdsStays = false, onDay }: CallTableOptions = {},
): CallTables {
  const { archive, statuses, owner, now, findPort, ports: portStore, portClocks } = dependencies;
  const kept = { ...dependencies, portCalls: dependencies.lastingCalls };

  const storesFor = (tables: readonly AcceptedTable[], port: Locode): IngestDependencies => {
    const passesOn = tables.every(({ about }) => about.ports[port] === undefined || about.passesOnCalls);
    if (!withholdsStays || passesOn) return kept;
    // Every day is written without a stay, so that those of a table that passed on its calls before are gone.
    const withheld: IngestDependencies['stayDays'] = {
      ...kept.stayDays,
      between: async () => [],
      write: (of, days) => kept.stayDays.write(of, new Map([...days.keys()].map((day) => [day, []]))),
    };
    return { ...kept, stayDays: withheld };
  };

  async function register(port: Locode, day: Day, lease: Lease): Promise<void> {
    const known = findPort(port);
    if (known === undefined) throw new TableRefused(`${port} is not in the list of ports`);
    const { name, countryCode, latitude, longitude } = known;
    await portStore.register(
      [{ port, name, countryCode, latitude, longitude, sources: [SOURCE], method: 'records' }],
      day,
      lease.renewIfDue,
    );
  }

  /** Applies a table to a port as if it had been read at the end of each UTC day of its span. */
  async function applyByDay(
    stores: IngestDependencies,
    port: Locode,
    { calls }: PortOfTables,
    span: Interval,
    lease: Lease,
  ): Promise<void> {
    const days = daysBetween(dayOf(span.fromAt), dayOf(span.toAt - 1));
    await register(port, days[0] ?? dayOf(span.fromAt), lease);
    const byDay = new Map<Day, Set<CallRecord>>();
    for (const record of calls.values())
      for (const at of timesOf(record)) {
        const day = dayOf(at);
        const changed = byDay.get(day) ?? new Set();
        byDay.set(day, changed.add(record));
      }
    let state = await readPortState(stores, port, (await portClocks.get(port))?.clocks, span.fromAt);
    for (const day of days) {
      const observedAt = Math.min(endOfDay(day), span.toAt);
      const records = [...(byDay.get(day) ?? [])].flatMap((record) => recordAt(record, observedAt) ?? []);
      const [row, reached] = await Promise.all([portStore.get(port, true), portClocks.get(port)]);
      if (row === undefined) throw new TableRefused(`${port} is not covered`);
      const observation = {
        kind: 'call-batch',
        port,
        observedAt,
        coveredFromAt: span.fromAt,
        records,
      } as const;
      const plan = await planObservations(stores, { row, reached, state }, [observation]);
      const fetch = { fetchedAt: observedAt, backfilled: true, asPolled: true, nowAt: now(), replays: true };
      ({ state } = await applyPortPlan(stores, plan, fetch, lease.renewIfDue));
      onDay?.(port, day);
    }
  }

  /** Rows of days that no table covers any more end. */
  async function endUncovered(
    stores: IngestDependencies,
    port: Locode,
    coverage: Coverage,
    knowledge: { readonly day: Day; readonly backfilled: boolean },
    lease: Lease,
  ): Promise<void> {
    const first = coverage[0];
    const last = coverage.at(-1);
    const isOutside = (day: Day): boolean =>
      first === undefined || last === undefined || day < dayOf(first.fromAt) || day > dayOf(last.toAt);
    const endDays = async <Served extends { readonly day: Day }, Stored extends Served>(
      series: SeriesStore<Served, Stored>,
    ): Promise<void> => {
      const gone = (await series.between(port)).filter(({ day }) => isOutside(day));
      await series.replace(port, [], gone, knowledge, lease.renewIfDue);
    };
    await endDays(stores.dailyMetrics);
    await endDays(stores.waitDays);
    const alerts = (await stores.alerts.between(port)).filter(({ asOfAt }) => isOutside(dayOf(asOfAt - 1)));
    await lease.renewIfDue();
    await stores.alertFeed.update(port, [], alerts);
    await stores.alerts.replace(port, [], alerts, knowledge, lease.renewIfDue);
  }

  /** Makes the rows of a port those of its tables, whatever they were. */
  async function rebuild(
    stores: IngestDependencies,
    port: Locode,
    { calls, coverage }: PortOfTables,
    fetchedAt: Instant,
    lease: Lease,
  ): Promise<void> {
    const fetch: AppliedFetch = { fetchedAt, backfilled: false, nowAt: now(), replays: false };
    const knowledge = { day: dayOf(fetchedAt), backfilled: false };
    await endUncovered(stores, port, coverage, knowledge, lease);
    const stored = await stores.portCalls.since(port, 0);
    const last = coverage.at(-1);
    if (last === undefined) return removePort(stores, port, stored, knowledge, lease);
    await register(port, knowledge.day, lease);
    const observedAt = last.toAt;
    const { ledger: made, changed: rebuilt } = reconstructed(port, calls, observedAt);
    const ledger = { ...made, coverage };
    const [row, reached] = await Promise.all([portStore.get(port, true), portClocks.get(port)]);
    if (row === undefined) throw new TableRefused(`${port} is not covered`);
    const state = await readPortState(stores, port, reached?.clocks, observedAt);
    const was = new Map(stored.map((call) => [call.callId, call]));
    const is = new Map(rebuilt.map((call) => [call.callId, call]));
    const pairs = [...new Set([...was.keys(), ...is.keys()])]
      .map((callId) => ({ was: was.get(callId), is: is.get(callId) }))
      .filter((pair) => pair.was === undefined || pair.is === undefined || !isSameCall(pair.was, pair.is));
    // A process that died may have written calls without what follows from them: every row is computed again.
    const changes = { ...changesBetween(state.ledger, ledger, pairs), changedFromAt: coverage[0]?.fromAt };
    const plan = {
      port,
      row,
      reached,
      observations: [],
      older: [],
      changes,
      state: { ...state, unfinished: rebuilt },
      allCalls: rebuilt,
    };
    await applyPortPlan(stores, plan, fetch, lease.renewIfDue);
  }

  /** Without a table a port is not covered. */
  async function removePort(
    stores: IngestDependencies,
    port: Locode,
    calls: readonly PortCall[],
    knowledge: { readonly day: Day; readonly backfilled: boolean },
    lease: Lease,
  ): Promise<void> {
    const row = await portStore.get(port, true);
    const days = new Map(
      calls.flatMap(({ legs }) => legs.map(({ endAt = 0 }) => [dayOf(endAt), []] as const)),
    );
    await lease.renewIfDue();
    await kept.stayDays.write(port, days);
    await stores.portCalls.remove(calls);
    await stores.raisedAlerts.remove(port);
    await stores.forecasts.remove(port);
    if (row !== undefined) await portStore.replace(port, [], [row], knowledge, lease.renewIfDue);
    await portClocks.remove(port);
  }

  async function apply(event: TableEvent, fetchedAt: Instant, lease: Lease): Promise<void> {
    const before = await acceptedTables(archive, fetchedAt - 1);
    const after = await acceptedTables(archive, fetchedAt);
    const name = 'removed' in event ? event.removed : event.about.name;
    const replaced = before.find(({ about }) => about.name === name);
    const given = 'removed' in event ? {} : event.about.ports;
    const ports = new Set([...Object.keys(replaced?.about.ports ?? {}), ...Object.keys(given)]);
    for await (const [port, content] of portsOfTables(archive, [...ports].sort(), after)) {
      const stores = storesFor(after, port);
      const isFirst = !before.some(({ about }) => about.ports[port] !== undefined);
      const span = given[port];
      if (!('removed' in event) && event.about.asPolls !== undefined && isFirst && span !== undefined)
        await applyByDay(stores, port, content, span, lease);
      else await rebuild(stores, port, content, fetchedAt, lease);
    }
  }

  async function catchUp(): Promise<void> {
    const lease = await statuses.lease(SOURCE, owner, LEASE_MS);
    if (lease === undefined) throw new TablesBusy();
    let { status } = lease;
    try {
      for (const fetchedAt of await archive.fetches(SOURCE, status.checkpointAt, Number.MAX_SAFE_INTEGER)) {
        const event = await readEvent(archive, fetchedAt);
        if (event !== undefined) await apply(event, fetchedAt, lease);
        const tables = await acceptedTables(archive, fetchedAt);
        const asOfAt = latestOf(
          tables.flatMap(({ about }) => Object.values(about.ports).map(({ toAt }) => toAt)),
        );
        status = {
          ...status,
          checkpointAt: fetchedAt,
          lastFetchAt: fetchedAt,
          ...(Number.isFinite(asOfAt) && { asOfAt }),
          knownSinceAt: status.knownSinceAt ?? fetchedAt,
          tables: tables.map(givenTable),
        };
        await lease.save(status);
      }
    } catch (error) {
      if (error instanceof LeaseLost) throw new TablesBusy();
      throw error;
    } finally {
      await lease.release(status).catch(() => undefined);
    }
  }

  async function archiveEvent(files: Readonly<Record<string, Uint8Array>>): Promise<void> {
    const times = await archive.fetches(SOURCE, undefined, Number.MAX_SAFE_INTEGER);
    const fetchedAt = Math.max(wholeSecond(now()), (times.at(-1) ?? 0) + 1000);
    await archive.write(SOURCE, fetchedAt, new Map(Object.entries(files)));
  }

  return {
    catchUp,

    async accept(bytes, about) {
      for (const [port] of Object.entries(about.ports)) {
        if (findPort(port) === undefined) throw new TableRefused(`${port} is not in the list of ports`);
        const [row, reached] = await Promise.all([portStore.get(port, true), portClocks.get(port)]);
        if (reached?.settled !== undefined)
          throw new TableRefused(
            `${port} began with a release, whose days never change: give the table to a service without it, with another --data-dir`,
          );
        const other = row?.sources.find((source) => source !== SOURCE);
        if (other !== undefined)
          throw new TableRefused(
            `${port} is covered by ${other}: a port has one source, so leave its rows out`,
          );
        const tables = await acceptedTables(archive);
        const same = tables.find((table) => table.about.ports[port] !== undefined);
        if (about.asPolls !== undefined && same !== undefined)
          throw new TableRefused(
            `${port} has the table ${same.about.name} already: --as-polls replays the first table of a port alone`,
          );
      }
      await archiveEvent({
        [TABLE_FILE]: bytes,
        [ABOUT_FILE]: Buffer.from(`${JSON.stringify(about, null, 2)}\n`),
      });
      await catchUp();
    },

    async remove(name) {
      const names = (await acceptedTables(archive)).map(({ about }) => about.name);
      if (!names.includes(name))
        throw new TableRefused(
          names.length === 0
            ? 'the service has no table of calls'
            : `there is no table ${name}; there are ${names.join(', ')}`,
        );
      await archiveEvent({ [ABOUT_FILE]: Buffer.from(`${JSON.stringify({ removed: name })}\n`) });
      await catchUp();
    },
  };
}
