/** The ingest on AWS, with the deployed sources. */
import { randomUUID } from 'node:crypto';
import { sourcesFor } from '../../core/sources/load-sources.ts';
import { storeWiring } from '../function-tables.ts';
import { AWS_SERVICES } from './aws.ts';
import { openIngestDependencies } from './dependencies.ts';
import { ingestFunction } from './ingest.ts';

const wiring = storeWiring(process.env);
const dependencies = openIngestDependencies(wiring, randomUUID(), AWS_SERVICES);
const ingest = sourcesFor(process.env).then((sources) => ingestFunction(wiring, dependencies, sources));

export const handler: Awaited<typeof ingest> = async (event, context) => (await ingest)(event, context);
