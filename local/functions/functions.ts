/** Runs built Lambda functions in this process, each with a `process` whose environment is only the function's, not that of the shell. */
import { Console } from 'node:console';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { compileFunction } from 'node:vm';
import { errorText, StartError } from '../start-error.ts';
import type { FunctionModel } from '../template/service-model.ts';

/** Calls a function as the Lambda service does; rejects with what the handler threw, or `FunctionTimeout`. */
export type Invoke = (event: unknown) => Promise<unknown>;

export class FunctionTimeout extends Error {
  override readonly name = 'FunctionTimeout';
}

export interface FunctionRuntime {
  /** Variables that are added to the function's environment and override it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Receives the output of functions: their log. */
  readonly log: NodeJS.WritableStream;
  /** The clock that `Date` reads inside functions, in epoch milliseconds. The machine's when undefined. */
  readonly clock?: (() => number) | undefined;
}

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname', 'process', 'console', 'Date'];

/** A `Date` whose present is `clock`'s. */
function dateClass(clock: () => number): typeof Date {
  return new Proxy(Date, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [clock()] : given, newTarget),
    apply: () => new Date(clock()).toString(),
    get: (target, property) => (property === 'now' ? clock : Reflect.get(target, property)),
  });
}

function processOf(environment: Record<string, string>, log: NodeJS.WritableStream): NodeJS.Process {
  return Object.create(process, {
    env: { value: environment },
    stdout: { value: log },
    stderr: { value: log },
  });
}

/** Node's own modules come from Node itself, even where a test runner replaces `require`. */
function requireOf(file: string, ownProcess: NodeJS.Process): (name: string) => unknown {
  const fromFile = createRequire(file);
  return (name) => {
    if (name === 'process' || name === 'node:process') return ownProcess;
    return process.getBuiltinModule?.(name) ?? fromFile(name);
  };
}

/** Loads a fresh copy of the function's module: nothing is shared with copies loaded before. */
function loadHandler(model: FunctionModel, runtime: FunctionRuntime): Handler {
  const { file, exportName, name, environment, memoryMegabytes } = model;
  const ownProcess = processOf(
    {
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMegabytes),
      ...environment,
      ...runtime.environment,
    },
    runtime.log,
  );
  const module: { exports: Record<string, unknown> } = { exports: {} };
  try {
    const run = compileFunction(readFileSync(file, 'utf8'), PARAMETERS, { filename: file });
    const ownConsole = new Console({ stdout: runtime.log, stderr: runtime.log, colorMode: false });
    const ownDate = runtime.clock ? dateClass(runtime.clock) : Date;
    const require = requireOf(file, ownProcess);
    run(module.exports, require, module, file, dirname(file), ownProcess, ownConsole, ownDate);
  } catch (thrown) {
    throw new StartError(`function ${name} cannot be loaded from ${file}: ${errorText(thrown)}`);
  }
  const handler = module.exports[exportName];
  if (typeof handler !== 'function') throw new StartError(`${file} exports no function ${exportName}`);
  return handler as Handler;
}

/** The result of `work`; rejects with `fault` when it takes longer than `limitMs`. */
export async function within<T>(limitMs: number, work: () => Promise<T>, fault: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(fault()), limitMs).unref();
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

const makeContext = (model: FunctionModel, endsAt: number) => ({
  awsRequestId: randomUUID(),
  functionName: model.name,
  functionVersion: '$LATEST',
  invokedFunctionArn: model.arn,
  memoryLimitInMB: String(model.memoryMegabytes),
  logGroupName: model.name,
  logStreamName: 'local',
  callbackWaitsForEmptyEventLoop: true,
  getRemainingTimeInMillis: () => Math.max(0, endsAt - performance.now()),
});

/** A fresh copy of the function, ready to be called. Throws `StartError` when it cannot be loaded. */
export function instantiate(model: FunctionModel, runtime: FunctionRuntime): Invoke {
  const handler = loadHandler(model, runtime);
  const fault = () => new FunctionTimeout(`${model.name} timed out after ${model.timeoutMs} ms`);
  return (event) => {
    const context = makeContext(model, performance.now() + model.timeoutMs);
    return within(model.timeoutMs, async () => handler(event, context), fault);
  };
}

/** Loads copies of every function, which take turns like containers; returns what calls the one with an ARN. Throws `StartError`. */
export function loadFunctions(
  models: ReadonlyMap<string, FunctionModel>,
  runtime: FunctionRuntime,
  copies: number,
): (arn: string) => Invoke {
  const takeTurns = (all: readonly Invoke[]): Invoke => {
    let turn = -1;
    return async (event) => {
      turn = (turn + 1) % all.length;
      return all[turn]?.(event);
    };
  };
  const invokers = new Map(
    [...models].map(([arn, model]) => [
      arn,
      takeTurns(Array.from({ length: copies }, () => instantiate(model, runtime))),
    ]),
  );
  return (arn) => {
    const invoke = invokers.get(arn);
    if (!invoke) throw new StartError(`${arn} is called, but no function of the template has it`);
    return invoke;
  };
}
