/** How a back-fill is divided, and what of a reply belongs to each part. */
import { describe, expect, it } from '@jest/globals';
import type { SourceReport, TradeReport } from '../../../core/calls/observation.ts';
import { partitions, partsOf, reportsIn } from '../../../core/ingest/partitions.ts';
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
  it('are its ports, its regions, the HS chapters, or the whole of it', () => {
    expect(partsOf({ ...declaration, partitionedBy: 'port' })).toEqual(['HKHKG', 'SGSIN']);
    expect(partsOf({ ...declaration, partitionedBy: 'hs-chapter' })).toBe(HS_CHAPTERS);
    const regions = { east: ['SGSIN'], west: ['USLAX'] };
    expect(partsOf({ ...declaration, partitionedBy: 'region', regions })).toEqual(['east', 'west']);
    expect(partsOf({ ...declaration, partitionedBy: 'region' })).toEqual([]);
    expect(partsOf({ ...declaration, partitionedBy: 'whole' })).toEqual(['whole']);
  });

  it('are partitions of one span', () => {
    const span = { since: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' };
    expect(partitions({ ...declaration, partitionedBy: 'port' }, span, false)).toEqual([
      { source: 'source', part: 'HKHKG', ...span },
      { source: 'source', part: 'SGSIN', ...span },
    ]);
  });

  it('are one while a fetch of them is not judged, but for days of positions', () => {
    const partsToJudge = (partitionedBy: 'port' | 'region') =>
      partitions({ ...declaration, partitionedBy, regions: { east: [], west: [] } }, {}, true).map(
        ({ part }) => part,
      );
    expect(partsToJudge('port')).toEqual(['whole']);
    expect(partsToJudge('region')).toEqual(['east', 'west']);
  });
});

describe('the reports of a part', () => {
  const [hongKong, singapore] = [poll(0, {}), { ...poll(0, {}), port: 'SGSIN' }];
  const all: SourceReport[] = [hongKong, trade('85', '8542', '94', '4285'), singapore];

  it('are all of the whole', () => {
    expect(reportsIn(declaration, 'whole', all)).toBe(all);
  });

  it('are those of the port', () => {
    expect(reportsIn(declaration, 'SGSIN', all)).toEqual([singapore]);
  });

  it('are those of the ports of the region', () => {
    const coasts = { ...declaration, regions: { east: ['SGSIN', 'MYPKG'], west: [] } };
    expect(reportsIn(coasts, 'east', all)).toEqual([singapore]);
    expect(reportsIn(coasts, 'west', all)).toEqual([]);
  });

  it('are the values of the chapter, and no report without one', () => {
    expect(reportsIn(declaration, '85', all)).toEqual([trade('85', '8542')]);
    expect(reportsIn(declaration, '01', all)).toEqual([]);
  });
});
