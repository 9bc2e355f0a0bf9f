/** The check of new versions on AWS. */
import {
  CodeDeployClient,
  GetDeploymentCommand,
  PutLifecycleEventHookExecutionStatusCommand,
} from '@aws-sdk/client-codedeploy';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { KEY_PREFIXES } from '../../core/access/keys.ts';
import { functionWiring, readEnvironment, text, type Wiring } from '../wiring.ts';
import { createVersionCheck, type HookEvent } from './version-check.ts';

/** A cold start and the longest that a function may take. */
const ANSWER_WITHIN_MS = 20_000;

const variablesSchema = z.object({
  /** JSON: ARN of the new version by name of its deployment group. */
  VERSIONS: text,
  KEY_PREFIX: z.enum([KEY_PREFIXES.dev, KEY_PREFIXES.live]),
  DEMO_KEY: z.optional(text),
});

function versionCheckFunction({ variables, wallClock, log }: Wiring) {
  const { VERSIONS, KEY_PREFIX, DEMO_KEY } = readEnvironment(variablesSchema, variables);
  const deployments = new CodeDeployClient({});
  const functions = new LambdaClient({});
  const check = createVersionCheck({
    versions: z.record(z.string(), text).parse(JSON.parse(VERSIONS)),
    keyPrefix: KEY_PREFIX,
    demoKey: DEMO_KEY,
    async deploymentGroup(deploymentId) {
      const { deploymentInfo } = await deployments.send(new GetDeploymentCommand({ deploymentId }));
      return deploymentInfo?.deploymentGroupName ?? '';
    },
    async invoke(FunctionName, event) {
      const { Payload, FunctionError } = await functions.send(
        new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }),
        { abortSignal: AbortSignal.timeout(ANSWER_WITHIN_MS) },
      );
      const answer = new TextDecoder().decode(Payload);
      if (FunctionError !== undefined) throw new Error(`${FunctionError}: ${answer.slice(0, 500)}`);
      return JSON.parse(answer);
    },
    async report({ DeploymentId, LifecycleEventHookExecutionId }, status) {
      await deployments.send(
        new PutLifecycleEventHookExecutionStatusCommand({
          deploymentId: DeploymentId,
          lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
          status,
        }),
      );
    },
    now: wallClock,
    random: Math.random,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  return async (event: HookEvent) => {
    const verdict = await check(event);
    if (verdict.fault === undefined) log.info('the new version answers as the contract says', { ...verdict });
    else log.error('the new version is refused, and the stack is rolled back', { ...verdict });
    return verdict;
  };
}

export const handler = versionCheckFunction(functionWiring(process.env));
