/** The simulated year: ports, polls, faults and restarts from one seed, with the promises checked at every step. */

import { INGEST_TABLES, ingestStores } from '../../../core/ingest/dependencies.ts';
import type { PassOutcome } from '../../../core/ingest/pass.ts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, wholeSecond } from '../../../core/reference/time.ts';
import { createSourceStatusStore } from '../../../core/store/source-status.ts';
import { memoryTables } from '../../builders/memory-table.ts';
import { BrokenPromise, type FaultReport } from '../fault-run.ts';
import { Fate, longOutages } from './fate.ts';
import { type InspectedPort, Inspector } from './inspector.ts';
import { type Machine, ServiceProcess, YearArchive } from './process.ts';
import { Twin } from './twin.ts';
import { startUpstream, type Upstream, type World } from './upstream.ts';

export interface YearOptions {
  readonly seed: number;
  readonly days: number;
  /** Called after each simulated month. */
  readonly onMonth?: (progress: YearProgress) => void;
}

export interface YearProgress {
  readonly day: number;
  readonly passes: number;
  /** Milliseconds of one pass of the service, the mean since the month before. */
  readonly passMs: number;
  readonly rows: number;
  readonly largestRow: number;
}

const BEGAN_AT: Instant = Date.UTC(2026, 0, 1);
const TICK_MS = 20 * MINUTE_MS;
const TICKS_A_DAY = DAY_MS / TICK_MS;
const MONTH_DAYS = 30;
/** How far back a client may still see changes after the last good fetch. */
const SETTLES_MS = 6 * HOUR_MS;

export async function simulateYear({ seed, days, onMonth }: YearOptions): Promise<FaultReport> {
  const world: World = { nowAt: BEGAN_AT };
  const common = { beganAt: BEGAN_AT, days, seed };
  const upstreams = [
    startUpstream(world, {
      id: 'fast-polls',
      kind: 'polls',
      ports: ['USLAX', 'HKHKG'],
      everyTicks: 1,
      ...common,
    }),
    startUpstream(world, { id: 'hourly-polls', kind: 'polls', ports: ['NLRTM'], everyTicks: 3, ...common }),
    startUpstream(world, { id: 'records', kind: 'events', ports: ['FIHEL'], everyTicks: 3, ...common }),
  ];
  return new Year(world, upstreams, seed, days).run(onMonth);
}

class Year {
  readonly #fate: Fate;
  readonly #outages;
  readonly #tables = memoryTables(INGEST_TABLES);
  readonly #archive = new YearArchive();
  readonly #twin = new Twin(this.#archive);
  readonly #counts: Record<string, number> = {};
  readonly #machine: Machine;
  readonly #inspector: Inspector;
  #process: ServiceProcess;
  #clockErrorMs = 0;
  #highestClockAt = 0;
  #names = 0;
  readonly #passTimes: number[] = [];
  #passes = 0;

  constructor(
    private readonly world: World,
    private readonly upstreams: readonly Upstream[],
    private readonly seed: number,
    private readonly days: number,
  ) {
    this.#fate = new Fate(seed);
    this.#outages = longOutages(BEGAN_AT, days);
    this.#machine = {
      tables: this.#tables,
      archive: this.#archive,
      now: () => this.#clock(),
      isStoreDown: () => {
        const { fromAt, toAt } = this.#outages.store;
        return world.nowAt >= fromAt && world.nowAt < toAt;
      },
    };
    const stores = ingestStores(this.#tables, () => this.#clock());
    this.#inspector = new Inspector(this.#tables, stores, () => this.#clock());
    this.#process = this.#started();
  }

  #clock(): Instant {
    const at = this.world.nowAt + this.#clockErrorMs;
    this.#highestClockAt = Math.max(this.#highestClockAt, at + 2 * MINUTE_MS);
    return at;
  }

  #count(name: string, by = 1): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + by;
  }

  #started(name = `process-${++this.#names}`): ServiceProcess {
    return new ServiceProcess(this.#machine, name);
  }

  #ports(): InspectedPort[] {
    return this.upstreams.flatMap(({ shown }) =>
      Array.from(shown, ([port, of]) => ({ port, shown: of, observedAts: this.#twin.observedAts(port) })),
    );
  }

  async run(onMonth: YearOptions['onMonth']): Promise<FaultReport> {
    const ticks = this.days * TICKS_A_DAY;
    for (let tick = 0; tick < ticks; tick += 1) {
      try {
        await this.#tick(tick);
      } catch (error) {
        if (!(error instanceof BrokenPromise)) throw error;
        const when = `${new Date(this.world.nowAt).toISOString()} (tick ${tick})`;
        throw new BrokenPromise(`seed ${this.seed}, ${when}: ${error.message}`);
      }
      if ((tick + 1) % (MONTH_DAYS * TICKS_A_DAY) === 0 || tick + 1 === ticks)
        onMonth?.(this.#progress((tick + 1) / TICKS_A_DAY));
    }
    await this.#end();
    const { reads, alertsServed } = this.#inspector;
    return {
      scenario: `a year of ${this.days} days`,
      runs: this.#passes,
      counts: { ...this.#counts, reads, alertsServed },
    };
  }

  async #tick(tick: number): Promise<void> {
    this.world.nowAt = wholeSecond(BEGAN_AT + tick * TICK_MS + this.#fate.jitterMs());
    const error = this.#fate.clockErrorMs(this.#clockErrorMs);
    if (error !== this.#clockErrorMs) this.#count('clockJumps');
    this.#clockErrorMs = error;
    if (this.#fate.isRestarted()) this.#restart();
    for (const upstream of this.upstreams) {
      if (tick % upstream.everyTicks !== 0) continue;
      if (this.#fate.isMissed()) this.#count('missed');
      else await this.#turn(upstream);
    }
    await this.#inspector.look(this.#ports(), this.world.nowAt, this.#highestClockAt);
    const isNewDay = tick % TICKS_A_DAY === 0 && tick > 0;
    if (isNewDay || this.#fate.isLookedAtClosely()) await this.#lookClosely(isNewDay);
  }

  #restart(): void {
    this.#count('restarts');
    this.#process = this.#started(this.#fate.keepsName() ? this.#process.owner : undefined);
  }

  /** One pass of one source with its faults, or two passes of two processes at once. */
  async #turn(upstream: Upstream): Promise<void> {
    const { source } = upstream;
    const { fromAt, toAt } = this.#outages.upstream;
    const isLost =
      source.declaration.id === 'hourly-polls' && this.world.nowAt >= fromAt && this.world.nowAt < toAt;
    upstream.turn = isLost ? 'down' : this.#fate.turnOf(source.declaration.id, this.world.nowAt);
    const process = this.#process;
    process.mishap = this.#fate.mishap();
    process.archiveFault = this.#fate.archiveFault();
    const met = process.met;
    const together: Promise<unknown>[] = [];
    if (this.#fate.areTwoAtOnce()) {
      const rival = this.#started('rival');
      rival.offsetMs = this.#fate.rivalOffsetMs();
      rival.mishap = this.#fate.mishap();
      rival.turns = this.#fate.turns();
      process.turns = this.#fate.turns();
      together.push(
        rival.pass(source).then((outcome) => this.#note('rival', outcome)),
        this.#inspector.look(this.#ports(), this.world.nowAt, this.#highestClockAt),
      );
      this.#count('twoAtOnce');
    }
    const beganAt = performance.now();
    const outcome = await process.pass(source);
    if (together.length === 0) this.#passTimes.push(performance.now() - beganAt);
    await Promise.all(together);
    process.turns = undefined;
    this.#passes += 1;
    this.#note('pass', outcome);
    this.#count('faultsMet', process.met - met);
    if (process.isDead) this.#restart();
    await this.#follow(upstream);
  }

  #note(who: string, outcome: PassOutcome | Error): void {
    const what = outcome instanceof Error ? outcome.name : (outcome.reason ?? outcome.state);
    this.#count(`${who} ${what}`);
  }

  /** The undisturbed run applies the same fetches as the service. */
  async #follow(upstream: Upstream): Promise<void> {
    const { id } = upstream.source.declaration;
    const statuses = await createSourceStatusStore(this.#tables.sourceStatus, () => 0).all();
    const untilAt = statuses.find((status) => status.source === id)?.checkpointAt;
    if (untilAt === undefined) return;
    await this.#twin.follow(upstream, untilAt, this.world.nowAt + DAY_MS / 2);
    this.#archive.prune(id, untilAt - DAY_MS / 4);
  }

  async #lookClosely(isNewDay: boolean): Promise<void> {
    const upToDate = this.upstreams.map(({ shown }) =>
      Math.max(...Array.from(shown.values(), (of) => lastOf(of))),
    );
    const settledAt = Math.min(...upToDate) - SETTLES_MS;
    for (const port of this.#ports()) {
      await this.#inspector.lookClosely(port, settledAt);
      if (isNewDay) await this.#inspector.lookInside(port);
    }
  }

  #progress(day: number): YearProgress {
    const tables = Object.values(this.#tables);
    const rows = tables.reduce((sum, table) => sum + [...table.texts()].length, 0);
    const times = this.#passTimes.splice(0);
    const passMs = times.reduce((sum, ms) => sum + ms, 0) / Math.max(1, times.length);
    const largestRow = Math.max(...tables.map((table) => table.largestRow));
    return { day, passes: this.#passes, passMs, rows, largestRow };
  }

  /** One more good pass of everything, and the tables are those of the undisturbed run. */
  async #end(): Promise<void> {
    this.world.nowAt += 12 * HOUR_MS;
    this.#clockErrorMs = 0;
    this.#process = this.#started();
    for (const upstream of this.upstreams) {
      upstream.turn = 'good';
      const outcome = await this.#process.pass(upstream.source);
      if (outcome instanceof Error || outcome.state !== 'ok')
        throw new BrokenPromise(`the last pass of ${upstream.source.declaration.id} failed`);
      await this.#follow(upstream);
    }
    await this.#inspector.look(this.#ports(), this.world.nowAt, this.#highestClockAt);
    await this.#lookClosely(true);
    this.#count('rows', await this.#twin.expectSame('the undisturbed run', this.#tables));
  }
}

const lastOf = (shown: ReadonlyMap<Instant, unknown>): Instant => [...shown.keys()].at(-1) ?? 0;
