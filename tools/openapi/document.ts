/** The current OpenAPI document: the contract, with examples from the current code. */
import { readFileSync } from 'node:fs';
import { type Fault, type OpenApiDocument, openApiDocument } from '../../core/contracts/openapi/document.ts';
import { OPERATION_IDS, type OperationId } from '../../core/contracts/routes.ts';
import { csv, entityTag } from '../../core/http/response.ts';
import { findFaults } from './faults.ts';

const packageFile = new URL('../../package.json', import.meta.url);

export async function currentDocument(): Promise<OpenApiDocument> {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  const faults = new Map<OperationId, readonly Fault[]>();
  for (const operation of OPERATION_IDS) faults.set(operation, await findFaults(operation));
  return openApiDocument({
    version,
    csvOf: csv,
    entityTag,
    faultsOf: (operation) => faults.get(operation) ?? [],
  });
}
