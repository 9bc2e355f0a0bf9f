/** The rights of a function on a table; each right comes with the variable that has the table's name. */
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { TABLES, type TableId } from '../../core/store/tables.ts';

const READ = ['GetItem', 'BatchGetItem', 'Query'] as const;

/** DynamoDB actions by use. No use has an action that it does not need, and none has a wildcard. */
const ACTIONS = {
  read: READ,
  /** For tables that stay small and are read as a whole. */
  scan: [...READ, 'Scan'],
  /** A token bucket: one conditional update, and a read when its condition is false. */
  spend: ['GetItem', 'UpdateItem'],
  /** Reads all rows, and marks some. */
  watch: ['Scan', 'UpdateItem'],
  write: [...READ, 'Scan', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
} as const;

type TableAccess = keyof typeof ACTIONS;
export type TableUse = Readonly<Partial<Record<TableId, TableAccess>>>;
export type DataTables = Readonly<Record<TableId, Table>>;

/** Gives `lambda` the uses it declares, and the names of those tables in its environment. */
export function useTables(lambda: LambdaFunction, tables: DataTables, uses: TableUse): void {
  for (const [id, access] of Object.entries(uses) as [TableId, TableAccess][]) {
    lambda.addEnvironment(TABLES[id].variable, tables[id].tableName);
    tables[id].grant(lambda, ...ACTIONS[access].map((action) => `dynamodb:${action}`));
  }
}
