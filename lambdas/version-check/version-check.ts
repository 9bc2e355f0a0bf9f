/**
 * Asks the new version of one function, before its alias moves to it. Whatever goes wrong is a failure, which rolls the stack
 * back: CodeDeploy would wait an hour for a check that says nothing.
 */
import * as z from 'zod/mini';
import type { KeyPrefix } from '../../core/access/keys.ts';
import { type OperationId, ROUTES } from '../../core/contracts/routes.ts';
import {
  authorizerEvent,
  authorizerFault,
  type EndpointQuestion,
  endpointEvent,
  endpointFault,
  unknownKey,
} from './questions.ts';

/** The event of CodeDeploy. */
export interface HookEvent {
  readonly DeploymentId: string;
  readonly LifecycleEventHookExecutionId: string;
}

interface VersionCheckDependencies {
  /** The new versions by the name of their deployment group: the operation, or `authorizer`. */
  readonly versions: Readonly<Record<string, string>>;
  readonly keyPrefix: KeyPrefix;
  /** A key that the stage accepts, where it has a public one. */
  readonly demoKey: string | undefined;
  /** Name of the deployment group of a deployment. */
  readonly deploymentGroup: (deploymentId: string) => Promise<string>;
  /** What a version returns; throws what it throws, and when it takes too long. */
  readonly invoke: (version: string, event: object) => Promise<unknown>;
  readonly report: (event: HookEvent, status: 'Succeeded' | 'Failed') => Promise<void>;
  readonly now: () => number;
  /** At least 0, below 1. */
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** How long after its start a check still asks again where the account has no concurrency left. */
const RETRY_MS = 40_000;
const MOST_PAUSE_MS = 4000;

const isOperation = (group: string): group is OperationId => Object.hasOwn(ROUTES, group);

const portList = z.array(z.object({ port: z.string(), as_of: z.nullable(z.string()) }));

export function createVersionCheck(dependencies: VersionCheckDependencies) {
  const { versions, demoKey, keyPrefix, deploymentGroup, report, now, random, sleep } = dependencies;

  function versionOf(group: string): string {
    const version = versions[group];
    if (version === undefined) throw new Error(`no version is known of the group ${group}`);
    return version;
  }

  /** Asks a version again while it is throttled. A pause is random, because other checks wait for the same places. */
  async function invoke(version: string, event: object, until: number): Promise<unknown> {
    for (;;) {
      try {
        return await dependencies.invoke(version, event);
      } catch (error) {
        const pause = random() * MOST_PAUSE_MS;
        const isThrottled = error instanceof Error && error.name === 'TooManyRequestsException';
        if (!isThrottled || now() + pause > until) throw error;
        await sleep(pause);
      }
    }
  }

  async function ask(group: OperationId, question: EndpointQuestion, until: number) {
    const event = endpointEvent(question, now());
    const answer = await invoke(versionOf(group), event, until);
    return { answer, fault: endpointFault(question, event.requestContext.requestId, answer) };
  }

  /** The port with the newest figures; undefined where there are none yet. */
  async function knownPort(until: number): Promise<string | undefined> {
    const { answer, fault } = await ask('ports', { route: ROUTES.ports, query: { sort: '-as_of' } }, until);
    if (fault !== undefined) throw new Error(`the list of ports: ${fault}`);
    const [first] = portList.parse(JSON.parse((answer as { body: string }).body));
    return first?.as_of == null ? undefined : first.port;
  }

  async function faultOf(group: string): Promise<string | undefined> {
    const until = now() + RETRY_MS;
    if (group === 'authorizer') {
      const event = authorizerEvent(demoKey ?? unknownKey(keyPrefix));
      const answer = await invoke(versionOf(group), event, until);
      return authorizerFault(demoKey === undefined ? 'Deny' : 'Allow', answer);
    }
    if (!isOperation(group)) return `no such operation: ${group}`;
    const route = ROUTES[group];
    const port = 'UNLOCODE' in route.path ? await knownPort(until) : undefined;
    return (await ask(group, { route, port }, until)).fault;
  }

  async function judge({ DeploymentId }: HookEvent) {
    const group = await deploymentGroup(DeploymentId);
    return { group, fault: await faultOf(group) };
  }

  /** Resolves with why the version is refused, if it is. */
  return async (event: HookEvent): Promise<{ group?: string; fault?: string | undefined }> => {
    const verdict = await judge(event).catch((thrown: unknown) => ({ fault: String(thrown) }));
    await report(event, verdict.fault === undefined ? 'Succeeded' : 'Failed');
    return verdict;
  };
}
