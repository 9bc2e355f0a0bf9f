/** `npm run study -- forecast --release DIR`: scores the forecasts of a release of the dataset, without the service. */
import { command, parse, run, UsageError } from '../../local/command-line.ts';
import { type ReleaseScore, scoreRelease } from './release-scores.ts';

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
const ratio = ({ error, persistence, median }: ReleaseScore): string =>
  (error / Math.min(persistence, median)).toFixed(2);

const COLUMNS =
  'Metric | Made | Day | Forecasts | Error | Persistence | Median of 28 days | Ratio | In the band | Pinball loss';

const line = (score: ReleaseScore): string =>
  [
    score.metric,
    score.made,
    score.horizon,
    score.forecasts,
    ...[score.error, score.persistence, score.median].map((error) => error.toFixed(3)),
    ratio(score),
    percent(score.coverage),
    score.pinball.toFixed(3),
  ].join(' | ');

await run(async () => {
  const about =
    'Scores the forecasts of a release of the dataset from its tables days and forecasts, beside the newest value and the median of 28 days.';
  const definition = command('npm run study -- forecast', about)
    .requiredOption(
      '--release <folder>',
      'a folder release=DAY, or a dataset, whose newest release is scored',
    )
    .option('--port <code>', 'of this port alone');
  const { release, port } = parse<{ release: string; port?: string }>(definition);
  const scores = await scoreRelease(release, port);
  if (scores.length === 0) throw new UsageError(`${release} has no forecast whose day has a value`);
  console.log([COLUMNS, COLUMNS.replaceAll(/[^|]+/g, '---'), ...scores.map(line)].join('\n'));
});
