/** What the benchmark makes of its measurements; the measurements themselves are no tests. */
import { describe, expect, it } from '@jest/globals';
import { sourcesOf } from '../../bench/cpu-profile.ts';
import { shareOf } from '../../bench/cpu-shares.ts';
import { figureTable, roundedFigure } from '../../bench/figure.ts';
import { median, quantile } from '../../bench/statistics.ts';

describe('a figure', () => {
  it('says whether its goal is met, on either side', () => {
    const table = figureTable([
      { what: 'a', value: 1.1, unit: '', atMost: 1.1 },
      { what: 'b', value: 1.2, unit: 's', atMost: 1.1 },
      { what: 'c', value: 0.97, unit: '', atLeast: 0.98 },
      { what: 'd', value: 0.99, unit: '', atLeast: 0.98, atMost: 1 },
    ]);
    const goals = table
      .split('\n')
      .slice(2)
      .map((line) => /(met|MISSED)/.exec(line)?.[1]);
    expect(goals).toEqual(['met', 'MISSED', 'MISSED', 'met']);
  });

  it('has four digits, or all before the point', () => {
    expect([0.123456, 12.34567, 123.456, 123456.7].map(roundedFigure)).toEqual([0.1235, 12.35, 123, 123457]);
  });
});

describe('quantiles', () => {
  it('are values that occurred', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(quantile([5, 1, 4, 2, 3], 0.9)).toBe(5);
    expect(quantile([], 0.5)).toBeNaN();
  });
});

describe('a profile', () => {
  it('knows the source of each line of a bundle', () => {
    const bundle = [
      '"use strict";',
      '// core/http/chain.ts',
      'a();',
      '  // node_modules/zod/index.js',
      'b();',
    ].join('\n');
    expect(sourcesOf(bundle)).toEqual([
      '',
      'core/http/chain.ts',
      'core/http/chain.ts',
      'node_modules/zod/index.js',
      'node_modules/zod/index.js',
    ]);
  });

  it.each([
    [['node:net', 'core/http/response.ts', 'core/http/chain.ts'], 'rendering'],
    [['node:crypto', 'node_modules/@smithy/core/x.js', 'core/store/table.ts', 'core/http/chain.ts'], 'store'],
    [['node_modules/@middy/core/index.js', 'file:///x/local/gateway/gateway.ts'], 'chain'],
    [['node:net', 'file:///x/local/gateway/gateway.ts'], 'gateway'],
    [['node:net', 'node:_http_client'], 'store'],
    [['node:net', 'node:_http_server'], 'gateway'],
    [['node:internal/timers'], 'node'],
  ])('gives %j to its owner', (sources, owner) => {
    expect(shareOf({ functionName: 'f', sources, micros: 1 })).toBe(owner);
  });

  it('counts idling as nothing and garbage collection as its own', () => {
    expect(shareOf({ functionName: '(idle)', sources: [''], micros: 1 })).toBeUndefined();
    expect(shareOf({ functionName: '(garbage collector)', sources: [''], micros: 1 })).toBe(
      'garbage collection',
    );
  });
});
