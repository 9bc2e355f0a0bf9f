/**
 * Runs built Lambda functions in this process. Each copy of a module has a `process` of its own, whose
 * environment is only that of the function, so that functions do not depend on the environment of the shell.
 */
import { Console } from 'node:console';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { compileFunction } from 'node:vm';
import { errorText, StartError } from '../start-error.ts';
import type { FunctionModel } from '../template/model.ts';

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

type Handler = (
  event: unknown,
  context: unknown,
  callback: (fault: unknown, result: unknown) => void,
) => unknown;

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

/** This process, with a different environment and different outputs. */
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

type Run = ReturnType<typeof compileFunction>;

/** By text: copies run one compiled function, each from its start, and share nothing else. */
const compiled = new Map<string, Run>();

function compile(file: string): Run {
  const text = readFileSync(file, 'utf8');
  const run = compiled.get(text) ?? compileFunction(text, PARAMETERS, { filename: file });
  compiled.set(text, run);
  return run;
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
    const run = compile(file);
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
  return async (event) => {
    const context = makeContext(model, performance.now() + model.timeoutMs);
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        timer = setTimeout(
          () => reject(new FunctionTimeout(`${model.name} timed out after ${model.timeoutMs} ms`)),
          model.timeoutMs,
        ).unref();
        // A handler returns a promise or, in the older form, calls its callback.
        const returned = handler(event, context, (fault, result) =>
          fault ? reject(fault) : resolve(result),
        );
        if (typeof returned === 'object' && returned !== null && 'then' in returned)
          Promise.resolve(returned).then(resolve, reject);
      });
    } finally {
      clearTimeout(timer);
    }
  };
}

// The running copies of the service's functions, each loaded when it is first called.

export interface FunctionPool {
  /** Calls the function with the ARN; its copies take turns. */
  invokerOf(arn: string): Invoke;
  /** One more copy of the function, which shares only the tables with the others. */
  fresh(arn: string): Invoke;
  /** Loads a copy of each, so that a function that cannot be loaded stops the start. */
  loadAll(): void;
}

/** @param copies number of copies of each function, which take turns like containers */
export function createFunctionPool(
  models: ReadonlyMap<string, FunctionModel>,
  runtime: FunctionRuntime,
  copies: number,
): FunctionPool {
  const modelOf = (arn: string): FunctionModel => {
    const model = models.get(arn);
    if (!model) throw new StartError(`${arn} is called, but no function of the template has it`);
    return model;
  };
  const fresh = (arn: string): Invoke => instantiate(modelOf(arn), runtime);
  const loaded = new Map<string, Invoke[]>();
  const copiesOf = (arn: string): Invoke[] => {
    const known = loaded.get(arn) ?? Array.from({ length: copies }, () => fresh(arn));
    loaded.set(arn, known);
    return known;
  };
  return {
    fresh,
    invokerOf(arn) {
      modelOf(arn);
      let all: readonly Invoke[] | undefined;
      let turn = 0;
      return (event) => {
        all ??= copiesOf(arn);
        const invoke = all[turn % all.length] ?? fresh(arn);
        turn += 1;
        return invoke(event);
      };
    },
    loadAll() {
      for (const arn of models.keys()) copiesOf(arn);
    },
  };
}
