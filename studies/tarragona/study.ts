/** `npm run study -- tarragona --stays FILE`: makes the recorded table of calls of Tarragona, 2019, from the rows that its authors published. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { command, notEmpty, parse, run } from '../../local/command-line.ts';
import { stayRows, tableText } from './stays.ts';

const folder = fileURLToPath(new URL('../../recordings/call-tables/', import.meta.url));

await run(async () => {
  const { stays } = parse<{ stays: string }>(
    command('npm run study -- tarragona', 'Writes recordings/call-tables/tarragona-2019.csv.').requiredOption(
      '--stays <file>',
      'Escales Vaixells 2019 of DOI 10.5281/zenodo.7337235 as CSV: call,vessel,place,entry,exit,length_m,operations,cargo,tonnes',
      notEmpty('--stays must name a file'),
    ),
  );
  const bytes = readFileSync(stays);
  const text = (stays.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const { rows, strays } = stayRows(text);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}tarragona-2019.csv`, tableText(rows));
  const calls = new Set(rows.map(({ call }) => call));
  const untyped = new Set(rows.filter((row) => row.vesselType === '').map(({ call }) => call));
  console.log(
    `${rows.length} stays of ${calls.size} calls; ${strays} rows of other ports left out; ${untyped.size} calls without a type`,
  );
});
