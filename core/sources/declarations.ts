/** Every source's declaration, without its parser: all that the infrastructure and the documentation need to know. */
import { antaqBerthingDeclaration } from './antaq-berthing/declaration.ts';
import { dmaAisDeclaration } from './dma-ais/declaration.ts';
import { fintrafficDigitrafficDeclaration } from './fintraffic-digitraffic/declaration.ts';
import { hkMarineDepartmentDeclaration } from './hk-marine-department/declaration.ts';
import { kystdatahusetAisDeclaration } from './kystdatahuset-ais/declaration.ts';
import { mpaSingaporeDeclaration } from './mpa-singapore/declaration.ts';
import { noaaMarinecadastreAisDeclaration } from './noaa-marinecadastre-ais/declaration.ts';
import { openWatersAisDeclaration } from './open-waters-ais/declaration.ts';
import { portmisKoreaDeclaration } from './portmis-korea/declaration.ts';
import type { SourceDeclaration } from './source.ts';
import { tipcTaiwanDeclaration } from './tipc-taiwan/declaration.ts';
import { usCensusTradeDeclaration } from './us-census-trade/declaration.ts';

export const SOURCE_DECLARATIONS: readonly SourceDeclaration[] = [
  antaqBerthingDeclaration,
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
