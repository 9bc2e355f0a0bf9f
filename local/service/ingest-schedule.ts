/** Separates the ingest of the template from its housekeeping, and schedules the sources of this start. */
import { StartError } from '../start-error.ts';
import type { ScheduleModel } from '../template/service-model.ts';

/** What is ingested on this machine instead of the sources of a deployment. */
export interface LocalIngest {
  readonly sources: readonly string[];
  /** The event of one scheduled pass; `{ source }` without it, as deployed. */
  readonly eventOf?: (source: string) => unknown;
  /** A built module that replaces the deployed ingest function. */
  readonly bundle?: string;
  /** More variables, for the ingest function only: the keys of upstreams. */
  readonly environment?: Readonly<Record<string, string>>;
}

type IngestPlan = ReturnType<typeof planIngest>;

const findSource = ({ input }: ScheduleModel): string | undefined => {
  if (typeof input !== 'object' || input === null || !('source' in input)) return undefined;
  return typeof input.source === 'string' ? input.source : undefined;
};

/** Ids of the sources that the template schedules, in the order of the template. */
export const scheduledSources = (schedules: readonly ScheduleModel[]): string[] =>
  schedules.map(findSource).filter((source) => source !== undefined);

/** The schedules that ingest no source; they run as declared. */
export const housekeepingOf = (schedules: readonly ScheduleModel[]): ScheduleModel[] =>
  schedules.filter((schedule) => findSource(schedule) === undefined);

/** The function that the schedules of sources call, and a schedule for each source: its own, else the most frequent one. Throws `StartError`. */
export function planIngest(schedules: readonly ScheduleModel[], ingest: LocalIngest) {
  const declared = schedules.filter((schedule) => findSource(schedule) !== undefined);
  const [first] = declared.toSorted((a, b) => a.periodMs - b.periodMs);
  if (!first) throw new StartError('the template has no schedule whose input names a source');
  if (declared.some(({ functionArn }) => functionArn !== first.functionArn))
    throw new StartError('the schedules of sources call more than one function');
  return {
    functionArn: first.functionArn,
    schedules: ingest.sources.map((source) => {
      const own = declared.find((schedule) => findSource(schedule) === source) ?? first;
      return { ...own, name: `ingest of ${source}`, input: ingest.eventOf?.(source) ?? { source } };
    }),
  };
}

/** When `source` has its first pass after `nowAt` that is not before `notBefore`, in epoch milliseconds; undefined when it has none. */
export function nextPass(
  { schedules }: IngestPlan,
  source: string,
  nowAt: number,
  notBefore: number,
): number | undefined {
  const periodMs = schedules.find((planned) => findSource(planned) === source)?.periodMs;
  if (periodMs === undefined) return undefined;
  return nowAt + periodMs * Math.max(1, Math.ceil((notBefore - nowAt) / periodMs));
}
