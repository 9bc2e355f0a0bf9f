/** `npm run --silent detect -- FILE...`: prints the change points of series files as one JSON object. */
import { detectInFiles } from '../accuracy/detection.ts';
import { UnusableSeries } from '../accuracy/series-file.ts';

const USAGE = `Usage: npm run --silent detect -- FILE...
Each FILE is JSON: {"name": text, "values": [numbers, null for a gap]}.
Prints {"name": [indices]}, zero-based, each the first observation of a new level.`;

const paths = process.argv.slice(2);
if (paths.includes('--help')) console.log(USAGE);
else if (paths.length === 0) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    console.log(JSON.stringify(await detectInFiles(paths)));
  } catch (error) {
    if (!(error instanceof UnusableSeries)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
