/** The field `evidence` of ports and sources. */
import * as z from 'zod/mini';
import { EVIDENCE } from '../reference/evidence.ts';
import { described } from './wire.ts';

export const evidence = described(z.enum(EVIDENCE), {
  description:
    'What the data rest on, by the published rule: `observed`, this deployment has fetched them and they are not stale; else the source is `recorded`, a real reply in the repository passes its tests; `read`, tests have read a real reply that is kept elsewhere; `expected`, published formats only. `simulated`: made-up sample data.',
  example: 'recorded',
});
