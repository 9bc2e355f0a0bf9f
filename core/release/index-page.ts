/** The page that lists the newest release. */
import { escaped } from '../contracts/feeds.ts';
import { KNOWN_DAYS } from '../contracts/known-days.ts';
import { LATEST, MANIFEST, releaseFolder } from '../store/release-place.ts';
import { DATA_PACKAGE, datasetJsonLd } from './descriptions.ts';
import { creditsOf, type Manifest } from './manifest.ts';

const cells = (...texts: readonly string[]): string => texts.map((text) => `<td>${text}</td>`).join('');

/** HTML without scripts and styles. Its links are relative, so that it can be copied with the files. The JSON-LD has the manifest's addresses. */
export function indexPage(manifest: Manifest): string {
  const { release, methodology_version: version, files, sources } = manifest;
  const link = (path: string, text: string) => `<a href="${escaped(path)}">${escaped(text)}</a>`;
  const fileRows = files.map(
    ({ table, year = '', path, rows, bytes }) =>
      `<tr>${cells(escaped(table), escaped(year), link(path, path), String(rows), String(bytes))}</tr>`,
  );
  const sourceRows = creditsOf(sources).map(
    ({ id, licence, attribution, calls }) =>
      `<tr>${cells(...[id, licence, attribution, calls ? 'yes' : 'no'].map(escaped))}</tr>`,
  );
  // No text of a source may end the element.
  const jsonLd = JSON.stringify(datasetJsonLd(manifest)).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Port congestion data, ${release}</title>
<script type="application/ld+json">${jsonLd}</script></head>
<body>
<h1>Port congestion data, release ${release}</h1>
<p>Figures up to the day before, methodology ${escaped(version)}. ${link(`${releaseFolder(release)}/${MANIFEST}`, MANIFEST)} has every
address, size, digest and column, ${link(`${releaseFolder(release)}/${DATA_PACKAGE}`, DATA_PACKAGE)} describes the files as a
Frictionless Data Package; ${link(LATEST, LATEST)} names the newest release;
${link(KNOWN_DAYS, KNOWN_DAYS)} the files by day that the explorer reads.</p>
<table>
<tr><th>Table</th><th>Year</th><th>File</th><th>Rows</th><th>Bytes</th></tr>
${fileRows.join('\n')}
</table>
<table>
<tr><th>Source</th><th>Licence</th><th>Attribution</th><th>Single calls</th></tr>
${sourceRows.join('\n')}
</table>
</body>
</html>
`;
}
