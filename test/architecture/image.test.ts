/** The image of the service: built on the Node that the project supports, without install scripts, published to this machine alone. */
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const textOf = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const dockerfile = textOf('Dockerfile');

it('is built on the Node release of .nvmrc, the oldest that package.json allows', () => {
  const pinned = /^ARG NODE_IMAGE=\S+\/node:(\d+\.\d+)\.\d+-bookworm-slim$/m.exec(dockerfile)?.[1];
  expect(pinned).toBe(textOf('.nvmrc').trim());
  expect(JSON.parse(textOf('package.json')).engines.node).toBe(`>=${pinned}`);
  // Both stages use the pinned one.
  const stages = dockerfile.match(/^FROM .*/gm) ?? [];
  expect(stages).toHaveLength(2);
  for (const line of stages) expect(line).toMatch(/^FROM \$\{NODE_IMAGE\}/);
});

it('is installed without install scripts', () => {
  const installs = dockerfile.match(/npm (?:ci|prune)\b.*/g) ?? [];
  expect(installs).toHaveLength(2);
  for (const line of installs) expect(line).toContain('--ignore-scripts');
});

it('runs as a user without rights, and compose publishes the port on this machine alone', () => {
  expect(dockerfile.slice(dockerfile.lastIndexOf('FROM '))).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  expect(textOf('compose.yaml').match(/^ {4}ports: .*/gm)).toEqual(["    ports: ['127.0.0.1:3000:3000']"]);
});
