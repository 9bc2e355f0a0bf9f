/** Kaohsiung's real half-year by methodology 1.1 and 2.0; skipped where the lists are absent (REAL_REPLIES names their folder). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { quietNoise, studyKaohsiung } from './kaohsiung-study.ts';

const folder = join(process.env.REAL_REPLIES ?? '', 'taiwan');
const isThere = process.env.REAL_REPLIES !== undefined && existsSync(join(folder, 'months'));

(isThere ? it : it.skip)(
  'serves the plain mean, above the winsorised one, a score that is no noisier, and no stays of harbour barges',
  () => {
    const { days, months } = studyKaohsiung(folder);
    expect(days).toHaveLength(172);
    for (const { formerHours, servedHours, longestHours } of days) {
      expect(servedHours).toBeGreaterThanOrEqual(formerHours - 0.05);
      expect(servedHours).toBeLessThanOrEqual(longestHours);
    }
    const formerNoise = quietNoise(days, ({ formerScore }) => formerScore);
    expect(quietNoise(days, ({ servedScore }) => servedScore)).toBeLessThanOrEqual(formerNoise);
    for (const { former, served } of months) {
      expect(served.stays).toBeLessThan(former.stays);
      expect(Math.abs(served.medianHours - 19.5)).toBeLessThan(1);
    }
  },
);
