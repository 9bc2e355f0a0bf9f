/** The coverage page and its list: what the declarations give, and no example of a port that nothing covers. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { knownSource } from '../../../../core/reference/evidence.ts';
import { SOURCE_DECLARATIONS } from '../../../../core/sources/declarations.ts';
import { SAMPLE_DECLARATION } from '../../../../core/sources/sample-simulator/declaration.ts';
import type { SourceDeclaration } from '../../../../core/upstream/source.ts';
import {
  countsText,
  coverageList,
  coverageSections,
  coveredPorts,
} from '../../../../portal/site/coverage.ts';
import { coverageHead } from '../../../../portal/site/coverage-map.ts';
import { evidenceText } from '../../../../tools/coverage/evidence.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');

describe('the coverage page', () => {
  const page = coverageSections();

  it('has the evidence that the recordings and the list of replies give', async () => {
    expect(read('core/reference/evidence.json')).toBe(await evidenceText(`${ROOT}recordings`));
  });

  it('says which ports the recordings hold', () => {
    const evidence = new Map(coverageList().map((covered) => [covered.port, covered.evidence]));
    expect(evidence.get('FIRAU')).toBe('recorded');
    expect(evidence.get('FIHEL')).toBe('recorded, of other ports');
    expect(page).toContain(countsText());
  });

  it('lists every port of every declared source', () => {
    const declared = SOURCE_DECLARATIONS.flatMap(({ id, ports }) => ports.map((port) => `${port} ${id}`));
    expect(
      coverageList()
        .map(({ source, port }) => `${port} ${source}`)
        .toSorted(),
    ).toEqual(declared.toSorted());
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
    expect(positions.map(({ id }) => id)).toEqual([
      'dma-ais',
      'kystdatahuset-ais',
      'noaa-marinecadastre-ais',
      'open-waters-ais',
    ]);
    for (const { id, boxes = [], approaches = [], coverage } of positions) {
      const listed = coverageList().filter(({ source }) => source === id);
      for (const covered of listed) {
        const {
          ports: _,
          neighbours: __,
          ...box
        } = boxes.find(({ ports }) => ports.some((port) => port === covered.port)) as (typeof boxes)[number];
        expect(covered.box).toEqual(box);
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

  it('is named in the README with the number of real ports', () => {
    const [firstScreen] = read('README.md').split('## A session');
    expect(firstScreen).toContain(`**${countsText()}.**`);
    expect(firstScreen).toContain('/docs/coverage.html');
    const [all, recorded, seen, expected] = (
      countsText().match(/\d+(?= (?:ports|recorded|read|expected))/g) ?? []
    ).map(Number);
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

describe('an example port of no source that rests on a real reply', () => {
  const isReal = ({ id }: SourceDeclaration): boolean => knownSource(id).evidence !== 'expected';
  const covered = new Set(coveredPorts(SOURCE_DECLARATIONS.filter(isReal)));
  const sampleOnly = SAMPLE_DECLARATION.ports.filter((port) => !covered.has(port));
  // Without such a port nothing may match.
  const named = sampleOnly.length === 0 ? /(?!)/ : new RegExp(`\\b(?:${sampleOnly.join('|')})\\b`);
  const files = [
    'README.md',
    'packages/client/README.md',
    ...['docs', 'portal/pages'].flatMap((folder) =>
      readdirSync(`${ROOT}${folder}`)
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${folder}/${name}`),
    ),
  ];

  it.each(files)('stands in %s only where the section says that it is sample or simulated', (file) => {
    const sections = read(file).split(/^(?=#{1,3} )/m);
    expect(sections.filter((text) => named.test(text) && !/sampl|simulat/i.test(text))).toEqual([]);
  });

  it('stands nowhere in the OpenAPI document, and in examples only beside the word', () => {
    expect(read('docs/openapi.json')).not.toMatch(named);
    const examples = readdirSync(`${ROOT}docs/examples`).filter((name) => /\.(?:py|sh|ts)$/.test(name));
    expect(
      examples.filter((name) => {
        const text = read(`docs/examples/${name}`);
        return named.test(text) && !/sampl/i.test(text);
      }),
    ).toEqual([]);
  });
});
