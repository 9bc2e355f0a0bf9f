/** The embedded DynamoDB: dynalite in a worker thread, on a loopback port, its data on disk or in memory. */
import { mkdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { errorCode, errorText, StartError } from '../start-error.ts';

export interface EmbeddedStore {
  /** For `AWS_ENDPOINT_URL_DYNAMODB`. */
  readonly endpoint: string;
  /** Finishes current operations and closes the files. Safe to call twice. */
  close(): Promise<void>;
}

export interface EmbeddedStoreOptions {
  /** Folder of the data; in memory when undefined. */
  readonly directory: string | undefined;
  /** Called when the store crashes after it started. */
  readonly onFailure?: ((reason: string) => void) | undefined;
}

type WorkerMessage =
  | { readonly state: 'listening'; readonly port: number }
  | { readonly state: 'closed' }
  | { readonly state: 'failed'; readonly code?: string; readonly message: string };

/** One line for the operator about files that cannot be opened. */
function openingFault(directory: string | undefined, code: string | undefined, message: string): string {
  const where = directory === undefined ? 'the store in memory' : `the data directory ${directory}`;
  if (code === 'LEVEL_LOCKED')
    return `${where} is in use by another process: stop it or name another --data-dir`;
  const unreadable = code?.startsWith('LEVEL_') || /^(Corruption|IO error)/.test(message);
  if (unreadable && !/permission denied/i.test(message))
    return `${where} is corrupt: remove it or name another --data-dir (${message})`;
  return `${where} cannot be opened: ${message}`;
}

/** Starts the store; throws `StartError` when its folder is corrupt, locked or not writable. */
export async function startEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const { directory } = options;
  if (directory !== undefined) {
    try {
      mkdirSync(directory, { recursive: true });
    } catch (thrown) {
      throw new StartError(openingFault(directory, errorCode(thrown), errorText(thrown)));
    }
  }
  const worker = new Worker(new URL('./store-worker.mjs', import.meta.url), {
    workerData: { path: directory },
    execArgv: [],
  });
  let phase: 'opening' | 'open' | 'closing' = 'opening';
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    const failed = (code: string | undefined, message: string): void => {
      if (phase === 'opening') reject(new StartError(openingFault(directory, code, message)));
      else if (phase === 'open')
        options.onFailure?.(`the store failed: ${openingFault(directory, code, message)}`);
      phase = 'closing';
    };
    worker.on('message', (message: WorkerMessage) => {
      if (message.state === 'failed') failed(message.code, message.message);
      if (message.state !== 'listening') return;
      phase = 'open';
      resolve(message.port);
    });
    worker.on('error', (thrown) => failed(errorCode(thrown), errorText(thrown)));
    worker.on('exit', (code) => failed(undefined, `its thread ended with code ${code}`));
  });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      if (phase === 'open') {
        phase = 'closing';
        worker.postMessage('close');
      }
      await ended;
    },
  };
}
