/** Runs a program, and runs it again after each change of a file below the watched folders. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';

export interface Restarts {
  /** The program and its arguments, for Node. `filled`: an earlier run has sent `ready`, so its data are complete. */
  readonly command: (filled: boolean) => readonly string[];
  readonly root: string;
  /** Below `root`. */
  readonly folders: readonly string[];
  readonly report: (line: string) => void;
}

/** An editor writes a file in several steps, and a branch that is checked out changes many. */
const SETTLED_MS = 100;
const IGNORED = /(?:^|[\\/])(?:dist|node_modules|\.[^\\/]*)(?:[\\/]|$)|~$/;

/** Starts the program. `close` ends it with SIGTERM and resolves when it has ended. */
export function startRestarts({ command, root, folders, report }: Restarts): { close(): Promise<void> } {
  let child: ChildProcess;
  let ended: Promise<void>;
  let filled = false;
  let closing = false;
  let timer: NodeJS.Timeout | undefined;
  let restarting: Promise<void> | undefined;

  function start(): void {
    child = spawn(process.execPath, command(filled), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
    child.on('message', (message) => {
      if (message === 'ready') filled = true;
    });
    ended = new Promise((resolve) =>
      child.once('close', () => {
        if (!closing && restarting === undefined)
          report('the service has ended; it starts again after a change');
        resolve();
      }),
    );
  }

  async function restart(): Promise<void> {
    child.kill('SIGTERM');
    await ended;
    if (!closing) start();
  }

  const changed = (name: string): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      report(`${name} has changed`);
      // A change during a restart may have come too late for it.
      restarting = (restarting ?? Promise.resolve()).then(restart).finally(() => {
        restarting = undefined;
      });
    }, SETTLED_MS);
  };

  const watchers: FSWatcher[] = folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_, name) => {
      if (name !== null && !IGNORED.test(name)) changed(join(folder, name));
    }),
  );
  start();
  return {
    async close() {
      closing = true;
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      child.kill('SIGTERM');
      await restarting;
      await ended;
    },
  };
}
