/** Athena over the files of the dataset: a Glue table for each of its tables, and a workgroup that limits what a query reads. */
import { Aws, type Stack } from 'aws-cdk-lib';
import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase, CfnTable } from 'aws-cdk-lib/aws-glue';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import {
  type Columns,
  type ColumnType,
  hasYears,
  RELEASE_TABLES,
  type ReleaseTable,
} from '../../core/release/columns.ts';
import type { StageName } from '../stage-config.ts';

/** A query that would read more is stopped: half a cent by the list price of 5 dollars a terabyte. */
const MAX_SCANNED_BYTES = 1_000_000_000;
/** Where results go: not below `data/`, so CloudFront does not serve them. */
export const ATHENA_RESULTS = 'athena-results/';
/** Years that a query without a year looks for. */
const YEARS = '2015,2040';

const HIVE_TYPES: Readonly<Record<ColumnType, string>> = {
  BOOLEAN: 'boolean',
  DATE: 'date',
  DOUBLE: 'double',
  INTEGER: 'int',
  STRING: 'string',
  TIMESTAMP: 'timestamp',
  'LIST<DOUBLE>': 'array<double>',
  'LIST<STRING>': 'array<string>',
};

const FORMATS = {
  inputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat',
  outputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat',
  serdeInfo: { serializationLibrary: 'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe' },
};

export function addAthenaTables(stack: Stack, stage: StageName, bucket: Bucket): void {
  const scope = new Construct(stack, 'Athena');
  const name = `pcd_${stage}`;
  const database = new CfnDatabase(scope, 'Database', {
    catalogId: Aws.ACCOUNT_ID,
    databaseInput: { name },
  });
  for (const [table, columns] of Object.entries<Columns>(RELEASE_TABLES)) {
    const byYear = hasYears(table as ReleaseTable);
    const root = `s3://${bucket.bucketName}/data/`;
    new CfnTable(scope, `Table-${table}`, {
      catalogId: Aws.ACCOUNT_ID,
      databaseName: name,
      tableInput: {
        name: table,
        tableType: 'EXTERNAL_TABLE',
        partitionKeys: [
          { name: 'release', type: 'string' },
          ...(byYear ? [{ name: 'year', type: 'int' }] : []),
        ],
        parameters: {
          classification: 'parquet',
          'projection.enabled': 'true',
          // Injected: a query names its release, so that no query reads all of them by mistake.
          'projection.release.type': 'injected',
          ...(byYear ? { 'projection.year.type': 'integer', 'projection.year.range': YEARS } : {}),
          'storage.location.template': `${root}release=\${release}/table=${table}/${byYear ? `year=\${year}/` : ''}`,
        },
        storageDescriptor: {
          location: root,
          columns: Object.entries(columns).map(([column, { type }]) => ({
            name: column,
            type: HIVE_TYPES[type],
          })),
          ...FORMATS,
        },
      },
    }).addResourceDependency(database);
  }
  new CfnWorkGroup(scope, 'WorkGroup', {
    name: `${stack.stackName}-dataset`,
    recursiveDeleteOption: true,
    workGroupConfiguration: {
      enforceWorkGroupConfiguration: true,
      bytesScannedCutoffPerQuery: MAX_SCANNED_BYTES,
      publishCloudWatchMetricsEnabled: true,
      resultConfiguration: {
        outputLocation: `s3://${bucket.bucketName}/${ATHENA_RESULTS}`,
        encryptionConfiguration: { encryptionOption: 'SSE_S3' },
      },
    },
  });
}
