/** Says how far a task is: at most one line for each tenth of it. */

export type Progress = ReturnType<typeof createProgress>;

const PARTS = 10;

export function createProgress(output: Pick<NodeJS.WriteStream, 'write'>) {
  let task = { name: '', total: 1, shown: -1 };
  const line = (text: string): void => void output.write(`${text}\n`);
  return {
    line,
    /** Begins a task of `total` steps. */
    begin(name: string, total: number): void {
      task = { name, total, shown: -1 };
    },
    /** `done` steps are done; `label` names the next one. */
    step(done: number, label: string): void {
      const part = Math.floor((done * PARTS) / Math.max(task.total, 1));
      if (part === task.shown) return;
      task.shown = part;
      line(`${task.name}: ${done} of ${task.total}, ${label}`);
    },
  };
}
