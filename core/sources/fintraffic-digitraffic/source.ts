/** Fintraffic Digitraffic as a source: port calls of all Finnish ports, to the berth. */
import type { Source } from '../source.ts';
import { fintrafficDigitrafficDeclaration } from './declaration.ts';
import { fetchDigitraffic } from './fetch.ts';
import { parseDigitraffic } from './parse.ts';

export const fintrafficDigitraffic: Source = {
  declaration: fintrafficDigitrafficDeclaration,
  fetch: fetchDigitraffic,
  parse: parseDigitraffic,
};
