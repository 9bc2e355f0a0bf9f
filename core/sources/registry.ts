/** The sources of a deployment, one line each. Only these are fetched. */
import type { Source } from '../upstream/source.ts';
import { excludedFeedsIn } from './declarations.ts';
import { dmaAis } from './dma-ais/source.ts';
import { fintrafficDigitraffic } from './fintraffic-digitraffic/source.ts';
import { hkMarineDepartment } from './hk-marine-department/source.ts';
import { kystdatahusetAis } from './kystdatahuset-ais/source.ts';
import { mpaSingapore } from './mpa-singapore/source.ts';
import { noaaMarinecadastreAis } from './noaa-marinecadastre-ais/source.ts';
import { openWatersAis } from './open-waters-ais/source.ts';
import { portmisKorea } from './portmis-korea/source.ts';
import { tipcTaiwan } from './tipc-taiwan/source.ts';
import { usCensusTrade } from './us-census-trade/source.ts';

export const DEPLOYED_SOURCES: readonly Source[] = [
  dmaAis,
  fintrafficDigitraffic,
  hkMarineDepartment,
  kystdatahusetAis,
  mpaSingapore,
  noaaMarinecadastreAis,
  openWatersAis,
  portmisKorea,
  tipcTaiwan,
  usCensusTrade,
];

/** The deployed sources without the feeds that the environment excludes. Throws for a feed that no source has. */
export function sourcesFor(variables: Readonly<Record<string, string | undefined>>): readonly Source[] {
  const excluded = excludedFeedsIn(variables);
  return DEPLOYED_SOURCES.map((source) =>
    excluded.length === 0 ? source : (source.without?.(excluded) ?? source),
  );
}

/** The deployed source of that id, undefined when there is none. */
export const sourceById = (id: string): Source | undefined =>
  DEPLOYED_SOURCES.find((source) => source.declaration.id === id);
