/** The authorizer on AWS. */
import { storeWiring } from '../function-tables.ts';
import { authorizerFunction } from './authorizer.ts';

export const handler = authorizerFunction(storeWiring(process.env));
