/** The portal under test: its address, its files, the keys of the sample, and responses to compare with. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDemoKeys } from '../../local/keys.ts';

function fromSetup(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`no ${name}: run the tests as the project "portal"`);
  return value;
}

export const portalUrl = (): string => fromSetup('PORTAL_URL');
const portalDirectory = (): string => fromSetup('PORTAL_DIRECTORY');

export const keys = readDemoKeys();

/** The contact of the stage under test. */
export const CONTACT = 'keys@example.com';

/** Text of a built file; the path begins with a slash. */
export const portalFile = (path: string): string => readFileSync(join(portalDirectory(), path), 'utf8');

/** Paths of all built files. */
export const portalFiles = (): string[] =>
  readdirSync(portalDirectory(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(portalDirectory().length));

/** The body of the API's own response, with the key that has no limits. */
export async function bodyOf(path: string): Promise<string> {
  const response = await fetch(portalUrl() + path, { headers: { 'X-API-Key': keys.bench } });
  if (response.status !== 200) throw new Error(`${path} returns ${response.status}`);
  return response.text();
}

/** The time by the clock of the service. */
export const serviceNowAt = async (): Promise<number> =>
  Date.parse((JSON.parse(await bodyOf('/v1/health')) as { time: string }).time);
