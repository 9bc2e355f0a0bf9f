/** Every source's declaration, without its parser, for the infrastructure and the documentation. */
import type { SourceDeclaration } from '../upstream/source.ts';
import { dmaAisDeclaration } from './dma-ais/declaration.ts';
import { fintrafficDigitrafficDeclaration } from './fintraffic-digitraffic/declaration.ts';
import { hkMarineDepartmentDeclaration } from './hk-marine-department/declaration.ts';
import { kystdatahusetAisDeclaration } from './kystdatahuset-ais/declaration.ts';
import { mpaSingaporeDeclaration } from './mpa-singapore/declaration.ts';
import { noaaMarinecadastreAisDeclaration } from './noaa-marinecadastre-ais/declaration.ts';
import { openWatersAisDeclaration } from './open-waters-ais/declaration.ts';
import { portmisKoreaDeclaration } from './portmis-korea/declaration.ts';
import { tipcTaiwanDeclaration } from './tipc-taiwan/declaration.ts';
import { usCensusTradeDeclaration } from './us-census-trade/declaration.ts';

export const SOURCE_DECLARATIONS: readonly SourceDeclaration[] = [
  dmaAisDeclaration,
  fintrafficDigitrafficDeclaration,
  hkMarineDepartmentDeclaration,
  kystdatahusetAisDeclaration,
  mpaSingaporeDeclaration,
  noaaMarinecadastreAisDeclaration,
  openWatersAisDeclaration,
  portmisKoreaDeclaration,
  tipcTaiwanDeclaration,
  usCensusTradeDeclaration,
];

/** The variable that names feeds whose rows are never used, separated by commas. */
export const EXCLUDED_FEEDS = 'EXCLUDED_FEEDS';

/** The feeds that an environment excludes. Throws for a feed that no source has. */
export function excludedFeedsIn(variables: Readonly<Record<string, string | undefined>>): string[] {
  const excluded = (variables[EXCLUDED_FEEDS] ?? '').split(',').filter((name) => name !== '');
  const known = SOURCE_DECLARATIONS.flatMap(({ feeds = [] }) => feeds).map(({ name }) => name);
  const unknown = excluded.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`${EXCLUDED_FEEDS}: ${unknown.join(', ')}: the feeds are ${known.join(', ')}`);
  return excluded;
}
