/** The page about agents lists the tools as they are. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { TOOLS } from '../../../packages/mcp/tools.ts';

it('has an item for each tool, with its arguments', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../docs/agents.md', import.meta.url)), 'utf8');
  const [, section = ''] = /^## Tools$(.*?)^## /ms.exec(page) ?? [];
  const rows = [...section.matchAll(/^- `(\w+)`(?: \((.*?)\))?: \w/gm)].map(([, name, cells = '']) => [
    name,
    [...cells.matchAll(/`(\w+)`/g)].map(([, argument]) => argument),
  ]);
  const tools = TOOLS.map(({ name, input }) => [name, Object.keys(input.def.shape)]);
  expect(rows).toEqual(expect.arrayContaining(tools));
  expect(rows).toHaveLength(tools.length);
});
