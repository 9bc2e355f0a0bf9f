/** The examples of parameters, which hints and documents send people to. */
import { expect, it } from '@jest/globals';
import { portParameter } from '../../../core/contracts/parameters.ts';
import { SOURCE_DECLARATIONS } from '../../../core/sources/declarations.ts';
import { SAMPLE_DECLARATION } from '../../../core/sources/sample-simulator/declaration.ts';

it('the example of a port is covered by the sample and by a deployment', () => {
  expect(SAMPLE_DECLARATION.ports).toContain(portParameter.example);
  expect(SOURCE_DECLARATIONS.flatMap(({ ports }) => ports)).toContain(portParameter.example);
});
