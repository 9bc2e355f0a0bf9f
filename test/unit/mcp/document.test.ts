/** The page about agents lists the tools as they are; `npm run openapi` writes their arguments. */
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { TOOLS } from '../../../packages/mcp/tools.ts';

it('has an item for each tool', () => {
  const page = readFileSync(new URL('../../../docs/agents.md', import.meta.url), 'utf8');
  const [, section = ''] = /^## Tools$(.*?)^## /ms.exec(page) ?? [];
  const listed = [...section.matchAll(/^- `(\w+)`(?: \(.*?\))?: \w/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(TOOLS.map(({ name }) => name).toSorted());
});
