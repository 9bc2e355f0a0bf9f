/** The ports that a deployment can read, as the map rings them. */

import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { unheldRecord } from '../../../../portal/api/files.ts';
import { coveredPorts } from '../../../../portal/site/coverage.ts';
import { readablePorts } from '../../../../portal/site/readable-ports.ts';
import { evidenceWords } from '../../../../portal/view/evidence.ts';

const ports = readablePorts();

it('are those of the coverage page, each once and with its place', () => {
  expect(ports.map(({ port }) => port)).toEqual(coveredPorts());
  for (const { latitude, longitude, name, sources } of ports) {
    expect(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180).toBe(true);
    expect(name).not.toBe('');
    expect(sources.length).toBeGreaterThan(0);
  }
});

it('have words of their own before anything is held', () => {
  const words = new Set(ports.map((port) => evidenceWords(unheldRecord(port)).word));
  expect([...words]).toEqual(['can be read']);
  expect(ports.find(({ port }) => port === 'USLAX')).toMatchObject({ evidence: 'expected', sample: true });
  expect(ports.find(({ port }) => port === 'TWKHH')?.sample).toBeUndefined();
});

it('are a small file', () => {
  expect(gzipSync(JSON.stringify(ports)).length).toBeLessThan(12_000);
});
