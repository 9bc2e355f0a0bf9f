/** Runs the template's schedules on the machine's clock. A run that is due while the previous one is still running is skipped. */
import type { ScheduleModel } from '../template/service-model.ts';

/** Runs each schedule after every period, first after one; missed runs are not made up. `invoke` resolves when a run is over. */
export function startScheduler(
  schedules: readonly ScheduleModel[],
  invoke: (schedule: ScheduleModel) => Promise<void>,
  report: (line: string) => void,
) {
  const running = new Map<ScheduleModel, Promise<void>>();
  const start = (schedule: ScheduleModel): void => {
    if (running.has(schedule)) report(`${schedule.name}: still running, this run is skipped`);
    else
      running.set(
        schedule,
        invoke(schedule).finally(() => running.delete(schedule)),
      );
  };
  const timers = schedules.map((schedule) => setInterval(start, schedule.periodMs, schedule));
  return {
    /** Starts no further run. Resolves when the current ones are over. */
    async stop(): Promise<void> {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}
