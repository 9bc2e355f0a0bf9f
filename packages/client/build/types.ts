/** The types of the client's requests and responses, made from the OpenAPI document by openapi-typescript. */
import openapiTypeScript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { currentDocument } from '../../../tools/openapi/document.ts';

export async function clientTypes(): Promise<string> {
  const document = JSON.parse(JSON.stringify(await currentDocument())) as OpenAPI3;
  const types = await openapiTypeScript(document, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  return `// Written by \`npm run openapi\` from the contract; do not edit.\n${astToString(types)}`;
}
