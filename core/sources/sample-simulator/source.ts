/** The sample as a source: a seeded simulation of five ports, and import values. Never part of a deployment. */
import type { Source } from '../source.ts';
import { SAMPLE_DECLARATION } from './declaration.ts';
import { fetchSample, type SampleOptions } from './fetch.ts';
import { parseSample } from './parse.ts';

export const createSampleSource = (options: SampleOptions): Source => ({
  declaration: SAMPLE_DECLARATION,
  fetch: (context) => fetchSample(options, context),
  parse: parseSample,
});
