/** The dev stage of the walk: its releases, its keys, and its outputs. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createApp, HANDLERS_DIR } from '../../lib/application.ts';
import type { Session } from './session.ts';
import type { Account } from './stage.ts';

export const STAGE = 'dev';
const PORTAL_DIR = join(import.meta.dirname, '../../dist/portal');

export interface Walk {
  readonly account: Account;
  readonly session: Session;
  /** An output of a stack of the stage. */
  output(part: string, name: string): Promise<string>;
}

/** The deployed stage as a release of `handlersDir`. */
export const newRelease = (outdir: string, handlersDir = HANDLERS_DIR, context: object = {}) =>
  createApp({
    outdir,
    stage: STAGE,
    handlersDir,
    portalDir: PORTAL_DIR,
    context: { apiGatewayLogRole: 'true', schedules: 'false', ...context },
  });

export interface IssuedKey {
  readonly id: string;
  readonly secret: string;
}

export async function createKey(session: Session, plan: string, name: string): Promise<IssuedKey> {
  const text = await session.run(
    `npm run --silent keys -- create --plan ${plan} --name ${name} --stage ${STAGE}`,
  );
  const field = (what: string) => new RegExp(`^${what} +(\\S+)$`, 'm').exec(text)?.[1];
  const [id, secret] = [field('id'), field('secret')];
  assert(id !== undefined && secret !== undefined, text);
  return { id, secret };
}
