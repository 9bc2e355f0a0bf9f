/** How a back-fill is divided, and what of a reply belongs to each part. */
import { describe, expect, it } from '@jest/globals';
import type { SourceReport, TradeReport } from '../../../core/calls/observation.ts';
import { partitionsOf, partsOf, reportsOf } from '../../../core/ingest/partitions.ts';
import { HS_CHAPTERS } from '../../../core/reference/hs-code.ts';
import { poll } from '../../builders/port-polls.ts';
import { scriptedSource } from '../../builders/scripted-source.ts';

const { declaration } = scriptedSource('source', ['HKHKG', 'SGSIN']);
const trade = (...codes: string[]): TradeReport => ({
  kind: 'trade',
  measure: 'GEN_VAL_MO',
  observedAt: 0,
  values: codes.map((code) => ({ code, month: '2026-01', value: 1 })),
});

describe('the parts of a source', () => {
  it('are its ports, the HS chapters, or the whole of it', () => {
    expect(partsOf({ ...declaration, partitionedBy: 'port' })).toEqual(['HKHKG', 'SGSIN']);
    expect(partsOf({ ...declaration, partitionedBy: 'hs-chapter' })).toBe(HS_CHAPTERS);
    expect(partsOf({ ...declaration, partitionedBy: 'whole' })).toEqual(['whole']);
  });

  it('are partitions of one span', () => {
    const span = { since: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' };
    expect(partitionsOf({ ...declaration, partitionedBy: 'port' }, span)).toEqual([
      { source: 'source', part: 'HKHKG', ...span },
      { source: 'source', part: 'SGSIN', ...span },
    ]);
  });
});

describe('the reports of a part', () => {
  const [hongKong, singapore] = [poll(0, {}), { ...poll(0, {}), port: 'SGSIN' }];
  const all: SourceReport[] = [hongKong, trade('85', '8542', '94'), singapore];

  it('are all of the whole', () => {
    expect(reportsOf('whole', all)).toBe(all);
  });

  it('are those of the port', () => {
    expect(reportsOf('SGSIN', all)).toEqual([singapore]);
  });

  it('are the values of the chapter, and no report without one', () => {
    expect(reportsOf('85', all)).toEqual([trade('85', '8542')]);
    expect(reportsOf('01', all)).toEqual([]);
  });
});
