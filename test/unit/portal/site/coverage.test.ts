/** The coverage page and its list: what the declarations give. */
import { describe, expect, it } from '@jest/globals';
import { SOURCE_DECLARATIONS } from '../../../../core/sources/declarations.ts';
import type { SourceDeclaration } from '../../../../core/upstream/source.ts';
import {
  countsText,
  coverageList,
  coverageSections,
  coveredPorts,
} from '../../../../portal/site/coverage.ts';
import { coverageHead } from '../../../../portal/site/coverage-map.ts';

describe('the coverage page', () => {
  const page = coverageSections();

  it('says which ports the recordings hold', () => {
    const evidence = new Map(coverageList().map((covered) => [covered.port, covered.evidence]));
    expect(evidence.get('FIRAU')).toBe('recorded');
    expect(evidence.get('FIHEL')).toBe('recorded, of other ports');
    expect(page).toContain(countsText());
  });

  it('lists every port of every declared source', () => {
    const declared = SOURCE_DECLARATIONS.flatMap(({ id, ports }) => ports.map((port) => `${port} ${id}`));
    const listed = coverageList().map(({ source, port }) => `${port} ${source}`);
    expect(listed.toSorted()).toEqual(declared.toSorted());
    expect(coverageList().find(({ port }) => port === 'HKHKG')).toEqual({
      port: 'HKHKG',
      name: 'Hong Kong',
      country: 'Hong Kong SAR China',
      source: 'hk-marine-department',
      evidence: 'recorded',
      freshness: 'at most 20 minutes old',
      since: 'first poll, or back-fill',
      endpoints: { snapshot: 'yes', trend: 'yes', waits: 'yes', alerts: 'yes' },
    });
  });

  it('has the box of every port that is read from positions, and what is unknown about their sources', () => {
    const positions = SOURCE_DECLARATIONS.filter(({ boxes }) => boxes !== undefined);
    expect(positions.length).toBeGreaterThan(3);
    for (const { id, boxes = [], approaches = [], coverage } of positions) {
      const listed = coverageList().filter(({ source }) => source === id);
      for (const { port, box } of listed) {
        const declared = boxes.find(({ ports }) => ports.some((code) => code === port));
        expect(declared).toMatchObject(box ?? { box: 'missing' });
      }
      const named = listed.flatMap((covered) => covered.approaches?.map(({ name }) => name) ?? []);
      expect(new Set(named)).toEqual(new Set(approaches.map(({ name }) => name)));
      for (const sentence of coverage?.unknown ?? []) expect(page).toContain(`- ${sentence}`);
      expect(coverage?.unknown?.length).toBeGreaterThan(0);
    }
  });

  it('draws a dot for every port, and a filter for every country', () => {
    const head = coverageHead(coverageList());
    expect(head.match(/<circle [^>]*data-port="/g)).toHaveLength(coveredPorts().length);
    expect(head).toContain('<option value="HK">Hong Kong SAR China</option>');
    expect(head).toContain('<option value="at most 20 minutes old">');
  });

  it('counts each port once, by the best evidence', () => {
    const counts = countsText().match(/\d+(?= (?:ports|recorded|read|expected))/g) ?? [];
    const [all, recorded, seen, expected] = counts.map(Number);
    expect(all).toBe(Number(recorded) + Number(seen) + Number(expected));
    expect(all).toBe(coveredPorts().length);
  });
});

describe('a source that is added', () => {
  const added: SourceDeclaration = {
    ...(SOURCE_DECLARATIONS.find(({ kind }) => kind === 'polls') as SourceDeclaration),
    id: 'new-source',
    publisher: 'New Publisher',
    ports: ['USLAX'],
    coverage: { since: 'last Tuesday', delay: 'an hour old', lacks: { waits: 'no anchorage is stated' } },
  };

  it('appears with its reasons and its mark, and takes its port from the list of what is not covered', () => {
    const page = coverageSections([...SOURCE_DECLARATIONS, added]);
    expect(
      coverageList([...SOURCE_DECLARATIONS, added]).find(({ source }) => source === added.id),
    ).toMatchObject({
      port: 'USLAX',
      evidence: 'expected',
      freshness: 'an hour old',
      since: 'last Tuesday',
      endpoints: { snapshot: 'expected', trend: 'expected', waits: 'no', alerts: 'expected' },
    });
    expect(page).toContain('| waits | no | no anchorage is stated |');
    expect(page).toContain('Evidence: **expected**.');
    expect(page).not.toContain('`USLAX`) exists in the sample data only');
    expect(coverageSections([])).toContain('`USLAX`) exists in the sample data only');
  });
});
