/** Shows what the start is doing: a bar on a terminal, plain lines everywhere else. */
import { SingleBar } from 'cli-progress';

export interface Progress {
  /** Writes a line, above a visible bar. */
  line(text: string): void;
  /** Begins a task of `total` steps. */
  begin(task: string, total: number): void;
  /** `done` steps are done; `label` names the next one. */
  step(done: number, label: string): void;
  end(): void;
}

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'> & NodeJS.WritableStream;

/** Without a terminal, one line for each tenth of a task is enough. */
const LINES_A_TASK = 10;

function plainProgress(output: Output): Progress {
  let task = '';
  let total = 0;
  let shown = -1;
  const line = (text: string): void => {
    output.write(`${text}\n`);
  };
  return {
    line,
    begin(name, steps) {
      task = name;
      total = steps;
      shown = -1;
    },
    step(done, label) {
      const part = Math.floor((done * LINES_A_TASK) / Math.max(total, 1));
      if (part === shown) return;
      shown = part;
      line(`${task}: ${done} of ${total}, ${label}`);
    },
    end() {},
  };
}

function terminalProgress(output: Output): Progress {
  let bar: SingleBar | undefined;
  let state: { task: string; total: number; done: number; label: string } | undefined;
  const draw = (): void => {
    if (!state) return;
    bar = new SingleBar({
      format: '{task} [{bar}] {value}/{total} {label}',
      hideCursor: true,
      clearOnComplete: true,
      stream: output,
    });
    bar.start(state.total, state.done, { task: state.task, label: state.label });
  };
  const clear = (): void => {
    bar?.stop();
    bar = undefined;
  };
  return {
    line(text) {
      clear();
      output.write(`${text}\n`);
      draw();
    },
    begin(task, total) {
      state = { task, total, done: 0, label: '' };
      draw();
    },
    step(done, label) {
      if (state) state = { ...state, done, label };
      bar?.update(done, { label });
    },
    end() {
      state = undefined;
      clear();
    },
  };
}

/** @param output usually standard output */
export const createProgress = (output: Output): Progress =>
  output.isTTY ? terminalProgress(output) : plainProgress(output);
