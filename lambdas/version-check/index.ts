/** Wiring of the check of new versions. */
import { Logger } from '@aws-lambda-powertools/logger';
import {
  CodeDeployClient,
  GetDeploymentCommand,
  PutLifecycleEventHookExecutionStatusCommand,
} from '@aws-sdk/client-codedeploy';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { KEY_PREFIXES } from '../../core/keys/key.ts';
import { readEnvironment, text } from '../environment.ts';
import { createVersionCheck, type HookEvent } from './version-check.ts';

/** A cold start and the longest that a function may take. */
const ANSWER_WITHIN_MS = 20_000;

const { VERSIONS, KEY_PREFIX, DEMO_KEY } = readEnvironment(
  z.object({
    /** JSON: ARN of the new version by name of its deployment group. */
    VERSIONS: text,
    KEY_PREFIX: z.enum([KEY_PREFIXES.dev, KEY_PREFIXES.live]),
    DEMO_KEY: z.optional(text),
  }),
  process.env,
);
const deployments = new CodeDeployClient({});
const functions = new LambdaClient({});
const logger = new Logger();

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
  now: Date.now,
});

export const handler = async (event: HookEvent) => {
  const verdict = await check(event);
  if (verdict.fault === undefined)
    logger.info('the new version answers as the contract says', { ...verdict });
  else logger.error('the new version is refused, and the stack is rolled back', { ...verdict });
  return verdict;
};
