/** Reads the functions of a template, and the schedules that call them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorText, StartError } from '../start-error.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from './intrinsics.ts';
import type { FunctionModel, ScheduleModel } from './model.ts';
import { supportedResources } from './supported.ts';
import type { Template } from './template.ts';

const DEFAULT_TIMEOUT_SECONDS = 3;
const DEFAULT_MEGABYTES = 128;
const DEFAULT_RETRIES = 2;
const DEFAULT_EVENT_AGE_SECONDS = 6 * 3600;

const arnOf = (name: string): string => `arn:aws:lambda:${LOCAL_REGION}:${LOCAL_ACCOUNT}:function:${name}`;

/**
 * The functions whose ARNs are in `called`. Others, such as CloudFormation's own helpers, are ignored:
 * nothing on one machine calls them.
 */
export function readFunctions(
  template: Template,
  called: ReadonlySet<string>,
): ReadonlyMap<string, FunctionModel> {
  const invocations = new Map(
    supportedResources(template, 'AWS::Lambda::EventInvokeConfig').map(({ is }) => [is.FunctionName, is]),
  );
  const isCalled = (name: string): boolean => called.has(arnOf(name));
  const functions = supportedResources(template, 'AWS::Lambda::Function', isCalled).map((found) => {
    const { is, assetFolder } = found;
    const name = found.name;
    const [module = '', exportName = ''] = is.Handler.split('.');
    const candidates = ['cjs', 'js'].map((ending) => join(assetFolder ?? '', `${module}.${ending}`));
    const file = assetFolder === undefined ? undefined : candidates.find((path) => existsSync(path));
    if (file === undefined)
      throw new StartError(`${found.stack}/${found.id}: no built module for ${is.Handler} in ${assetFolder}`);
    const asynchronous = invocations.get(name);
    const model: FunctionModel = {
      arn: arnOf(name),
      name,
      file,
      exportName,
      environment: is.Environment?.Variables ?? {},
      timeoutMs: (is.Timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
      memoryMegabytes: is.MemorySize ?? DEFAULT_MEGABYTES,
      retryAttempts: asynchronous?.MaximumRetryAttempts ?? DEFAULT_RETRIES,
      eventAgeMs: (asynchronous?.MaximumEventAgeInSeconds ?? DEFAULT_EVENT_AGE_SECONDS) * 1000,
      deadLetters: asynchronous?.DestinationConfig?.OnFailure?.Destination,
    };
    return [model.arn, model] as const;
  });
  const models = new Map(functions);
  for (const arn of called)
    if (!models.has(arn)) throw new StartError(`${arn} is called, but no function of the template has it`);
  return models;
}

function parseInput(text: string | undefined, where: string): unknown {
  try {
    return text === undefined ? {} : JSON.parse(text);
  } catch (thrown) {
    throw new StartError(`${where}: Target.Input is not JSON: ${errorText(thrown)}`);
  }
}

/** The enabled schedules. */
export function readSchedules(template: Template): ScheduleModel[] {
  return supportedResources(template, 'AWS::Scheduler::Schedule')
    .filter(({ is }) => is.State !== 'DISABLED')
    .map(({ is, stack, id }) => ({
      name: `${stack}/${id}`,
      expression: is.ScheduleExpression,
      functionArn: is.Target.Arn,
      input: parseInput(is.Target.Input, `${stack}/${id}`),
    }));
}
