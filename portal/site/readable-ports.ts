/** The ports that a deployment can read, with their places: what the map rings where nothing is held. */
import { NO_FETCHES, portEvidence } from '../../core/reference/evidence.ts';
import { findPort } from '../../core/reference/ports.ts';
import { round } from '../../core/reference/statistics.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { SAMPLE_DECLARATION } from '../../core/sources/sample-simulator/declaration.ts';
import type { SourceDeclaration } from '../../core/upstream/source.ts';
import type { ReadablePort } from '../api/files.ts';
import { coveredPorts } from './coverage.ts';

/** A hundredth of a degree is a pixel of the map at its largest. */
const DECIMALS = 2;

/** In order of code. */
export function readablePorts(
  declared: readonly SourceDeclaration[] = SOURCE_DECLARATIONS,
): readonly ReadablePort[] {
  return coveredPorts(declared).flatMap((port) => {
    const place = findPort(port);
    if (place === undefined) return [];
    const sources = declared.filter(({ ports }) => ports.includes(port)).map(({ id }) => id);
    return [
      {
        port,
        name: place.name,
        latitude: round(place.latitude, DECIMALS),
        longitude: round(place.longitude, DECIMALS),
        sources,
        evidence: portEvidence(sources, undefined, NO_FETCHES, 0),
        ...(SAMPLE_DECLARATION.ports.includes(port) && { sample: true as const }),
      },
    ];
  });
}
