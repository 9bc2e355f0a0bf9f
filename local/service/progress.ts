/** Says how far a task is: at most one line for each tenth of it. */

export interface Progress {
  line(text: string): void;
  /** Begins a task of `total` steps. */
  begin(task: string, total: number): void;
  /** `done` steps are done; `label` names the next one. */
  step(done: number, label: string): void;
}

const PARTS = 10;

export function createProgress(output: Pick<NodeJS.WriteStream, 'write'>): Progress {
  let task = { name: '', total: 1, shown: -1 };
  const line = (text: string): void => void output.write(`${text}\n`);
  return {
    line,
    begin(name, total) {
      task = { name, total, shown: -1 };
    },
    step(done, label) {
      const part = Math.floor((done * PARTS) / Math.max(task.total, 1));
      if (part === task.shown) return;
      task.shown = part;
      line(`${task.name}: ${done} of ${task.total}, ${label}`);
    },
  };
}
