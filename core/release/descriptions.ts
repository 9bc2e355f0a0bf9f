/** A release in the two vocabularies that catalogues read: a Frictionless Data Package, and a schema.org Dataset. */
import { creditsOf, type Manifest } from './manifest.ts';

/** Name of the Data Package within the folder of a release. */
export const DATA_PACKAGE = 'datapackage.json';

const TITLE = 'Port congestion: scores, waits, alerts and forecasts by day';
const DESCRIPTION =
  'Port calls, waits for a berth, vessels at anchor, congestion scores, alerts and forecasts of seaports by UTC day, with the figures as they were known on each day, and monthly import indices. The columns source and licence of each row say whom to credit.';
const PARQUET = 'application/vnd.apache.parquet';

/** Field types of Frictionless by column type. */
const FIELD_TYPES: Readonly<Record<string, string>> = {
  BOOLEAN: 'boolean',
  DATE: 'date',
  DOUBLE: 'number',
  INTEGER: 'integer',
  STRING: 'string',
  TIMESTAMP: 'datetime',
};

/** Types that hold for what the frictionless package gets from its Parquet reader: NumPy arrays for lists, and NaN where an integer is NULL. */
function fieldType({ type, nullable }: { readonly type: string; readonly nullable: boolean }): string {
  return type === 'INTEGER' && nullable ? 'number' : (FIELD_TYPES[type] ?? 'any');
}

/**
 * The Data Package (specs.frictionlessdata.io) of a release: each file is a resource, with its path in the folder of the release. Sizes and
 * digests are in the manifest alone: the frictionless package counts no bytes of Parquet files, and refuses the resources that state them.
 */
export function dataPackage({ release, tables, files, made, sources }: Manifest): object {
  return {
    profile: 'data-package',
    name: 'port-congestion',
    title: TITLE,
    description: DESCRIPTION,
    version: release,
    ...(made !== undefined && { created: made }),
    sources: creditsOf(sources).map(({ attribution, homepage }) => ({
      title: attribution,
      ...(homepage !== null && { path: homepage }),
    })),
    resources: files.map(({ table, year, path }) => ({
      profile: 'tabular-data-resource',
      name: year === undefined ? table : `${table}-${year}`,
      path: path.slice(path.indexOf('/') + 1),
      format: 'parquet',
      mediatype: PARQUET,
      schema: {
        fields: (tables[table] ?? []).map((column) => ({
          name: column.name,
          type: fieldType(column),
          ...(!column.nullable && { constraints: { required: true } }),
        })),
      },
    })),
  };
}

/** A schema.org Dataset as JSON-LD, which search engines for data read. Its addresses are those of the manifest. */
export function datasetJsonLd({ release, files, made, sources, covered = {} }: Manifest): object {
  const spans = Object.values(covered).flatMap((of) => {
    const days = of.flat().map((at) => at.slice(0, 10));
    return days.length === 0 ? [] : [`${days[0]}/${days.at(-1)}`];
  });
  const temporalCoverage = [...new Set(spans)].sort();
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: TITLE,
    description: DESCRIPTION,
    version: release,
    ...(made !== undefined && { dateModified: made }),
    isAccessibleForFree: true,
    ...(temporalCoverage.length > 0 && { temporalCoverage }),
    spatialCoverage: Object.keys(covered).map((port) => ({ '@type': 'Place', identifier: port })),
    license: creditsOf(sources).map(({ licence, homepage }) => ({
      '@type': 'CreativeWork',
      name: licence,
      ...(homepage !== null && { url: homepage }),
    })),
    creditText: creditsOf(sources)
      .map(({ attribution }) => attribution)
      .join('; '),
    distribution: files.map(({ address, bytes, sha256 }) => ({
      '@type': 'DataDownload',
      encodingFormat: PARQUET,
      contentUrl: address,
      contentSize: `${bytes} B`,
      sha256,
    })),
  };
}
