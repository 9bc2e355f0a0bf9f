/** Functions in one process: their own environment and clock, fresh copies, time-outs, and what cannot be loaded. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type FunctionRuntime, instantiate, loadFunctions } from '../../../../local/functions/functions.ts';
import type { FunctionModel } from '../../../../local/template/service-model.ts';
import { discarded } from '../gateway/running-gateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'functions-'));
let count = 0;
function modelOf(source: string, more: Partial<FunctionModel> = {}): FunctionModel {
  count += 1;
  const file = join(folder, `f${count}.cjs`);
  writeFileSync(file, source);
  return {
    arn: `arn:${count}`,
    name: `f${count}`,
    file,
    exportName: 'handler',
    environment: { TABLE: 'deployed' },
    timeoutMs: 100,
    memoryMegabytes: 256,
    retryAttempts: 0,
    eventAgeMs: 0,
    deadLetters: undefined,
    ...more,
  };
}
const plain: FunctionRuntime = { environment: {}, log: discarded };

/** What one call of a function with this source resolves with. */
const invoke = async (source: string, event = {}): Promise<unknown> =>
  instantiate(modelOf(source), plain)(event);

describe('the environment', () => {
  afterEach(() => {
    delete process.env.SHELL_ONLY;
  });

  it('is the function’s own, with what the machine adds, and nothing of the shell', async () => {
    process.env.SHELL_ONLY = 'x';
    const model = modelOf(`
      const atLoad = { ...process.env };
      exports.handler = async () => [atLoad, { ...process.env }, require('node:process').env.TABLE, require('process').pid];`);
    const invoke = instantiate(model, { ...plain, environment: { TABLE: 'local', MORE: 'm' } });
    const [atLoad, later, required, pid] = (await invoke({})) as [object, object, string, number];
    const expected = {
      AWS_LAMBDA_FUNCTION_NAME: model.name,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      TABLE: 'local',
      MORE: 'm',
    };
    expect([atLoad, later, required, pid]).toEqual([expected, expected, 'local', process.pid]);
    expect(process.env).not.toHaveProperty('MORE');
  });

  it('keeps what is printed apart', async () => {
    let printed = '';
    const log = new Writable({
      write(chunk, _encoding, done) {
        printed += chunk;
        done();
      },
    });
    const source = `exports.handler = async () => { console.log('a'); process.stdout.write('b\\n'); console.error('c'); }`;
    await instantiate(modelOf(source), { ...plain, log })({});
    expect(printed).toBe('a\nb\nc\n');
  });

  it('has the clock that it is given', async () => {
    const source = `exports.handler = async () => [Date.now(), new Date().getTime(), new Date(5).getTime(), Date.UTC(1970, 0, 2), new Date() instanceof Date]`;
    let now = 1000;
    const invoke = instantiate(modelOf(source), { ...plain, clock: () => now });
    expect(await invoke({})).toEqual([1000, 1000, 5, 86_400_000, true]);
    now = 2000;
    expect(((await invoke({})) as number[]).slice(0, 2)).toEqual([2000, 2000]);
  });
});

describe('a copy', () => {
  const COUNTER = 'let n = 0; exports.handler = async () => ++n;';

  it('takes its turn', async () => {
    const model = modelOf(COUNTER);
    const invoke = loadFunctions(new Map([[model.arn, model]]), plain, 2)(model.arn);
    expect([await invoke({}), await invoke({}), await invoke({})]).toEqual([1, 1, 2]);
  });

  it('is called with the very event, and a context', async () => {
    const source = `exports.handler = async (event, context) => [
      event,
      context.getRemainingTimeInMillis(),
      context.functionName,
      context.awsRequestId === context.awsRequestId,
    ]`;
    const event = {};
    const model = modelOf(source);
    const [given, leftMs, name, oneId] = (await instantiate(model, plain)(event)) as [
      object,
      number,
      string,
      boolean,
    ];
    expect(given).toBe(event);
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(100);
    expect([name, oneId]).toEqual([model.name, true]);
  });
});

describe('failure', () => {
  it('rejects with what was thrown, at once or later', async () => {
    await expect(invoke('exports.handler = () => { throw new Error("now"); }')).rejects.toThrow('now');
    await expect(invoke('exports.handler = async () => { throw new Error("later"); }')).rejects.toThrow(
      'later',
    );
  });

  it('is to take longer than the function may', async () => {
    const model = modelOf('exports.handler = () => new Promise(() => {});', { timeoutMs: 20 });
    await expect(instantiate(model, plain)({})).rejects.toThrow(`${model.name} timed out after 20 ms`);
  });

  it.each([
    ['does not parse', 'exports.handler = (', 'cannot be loaded from'],
    ['throws', 'throw new Error("no table");', 'no table'],
    ['exports no handler', 'exports.other = 1;', 'exports no function handler'],
    ['wants a module that is not there', 'require("nowhere-at-all");', 'cannot be loaded from'],
  ])('to load a module that %s', (_, source, complaint) => {
    expect(() => instantiate(modelOf(source), plain)).toThrow(complaint);
  });

  it('to call what is no function of the template', () => {
    expect(() => loadFunctions(new Map(), plain, 1)('arn:nobody')).toThrow('arn:nobody is called');
  });
});
