/** The accuracy page keeps what a run could not measure; plots are well-formed and the same every time. */
import { describe, expect, it } from '@jest/globals';
import { XMLValidator } from 'fast-xml-parser';
import { type Section, table, writePage } from '../../../accuracy/report.ts';
import { svgPlot } from '../../../accuracy/svg-plot.ts';

const section = (id: string, body: string): Section => ({
  id,
  title: `Part ${id}`,
  body,
  plot: '<svg/>',
  plotText: 'a plot',
});
const skipped = (id: string) => ({ id, title: `Part ${id}`, reason: 'no data here.' });

describe('the page', () => {
  const first = writePage('# Head', [section('a', 'one'), section('b', 'two')], '');

  it('rewrites measured parts and leaves skipped ones as they were', () => {
    const second = writePage('# New head', [skipped('a'), section('b', 'three')], first);
    expect(second).toBe(first.replace('# Head', '# New head').replace('two', 'three'));
    expect(second).toContain('![a plot](accuracy/a.svg)');
  });

  it('says so where a part has never been measured', () => {
    expect(writePage('# Head', [skipped('a')], '')).toContain('Not measured yet: no data here.');
  });

  it('lays tables out', () => {
    expect(table(['a', 'b'], [['1', '2']])).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |');
  });
});

describe('a plot', () => {
  const plot = {
    title: 'Waits & <queues>',
    xLabel: 'day',
    yLabel: 'hours',
    curves: [
      {
        name: 'line',
        style: 'line' as const,
        points: [
          [0, 0],
          [5, 12.5],
          [10, 3],
        ] as const,
      },
      {
        name: 'dots',
        style: 'dots' as const,
        points: [
          [2, 4],
          [3, 7],
        ] as const,
      },
    ],
    levels: [{ y: 10, name: 'bar' }],
    marks: [{ x: 4, name: 'change' }],
  };

  it('is well-formed, names what it shows and has every point', () => {
    const svg = svgPlot(plot);
    expect(XMLValidator.validate(svg)).toBe(true);
    expect(svg).toContain('<title>Waits &amp; &lt;queues&gt;</title>');
    expect(svg.match(/<circle/g)).toHaveLength(2);
    expect(/polyline points="([^"]*)"/.exec(svg)?.[1]?.split(' ')).toHaveLength(3);
    expect(svg).not.toContain('NaN');
    expect(svgPlot(plot)).toBe(svg);
  });

  it('puts larger values higher and later ones further right', () => {
    const [, path = ''] = /polyline points="([^"]*)"/.exec(svgPlot(plot)) ?? [];
    const [start = [], peak = [], end = []] = path.split(' ').map((point) => point.split(',').map(Number));
    expect(peak[1]).toBeLessThan(Math.min(start[1] ?? 0, end[1] ?? 0));
    expect(start[0]).toBeLessThan(peak[0] ?? 0);
    expect(peak[0]).toBeLessThan(end[0] ?? 0);
  });

  it('takes names for places, and refuses to be empty', () => {
    const named = { ...plot, categories: ['HKHKG', 'FIRAU'] };
    expect(svgPlot({ ...named, curves: [{ name: 'x', style: 'dots', points: [[0, 1]] }] })).toContain(
      'FIRAU',
    );
    expect(() => svgPlot({ ...plot, curves: [] })).toThrow(RangeError);
  });
});
