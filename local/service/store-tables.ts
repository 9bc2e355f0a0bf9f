/** Tables of the service's store, for this process. */
import { TABLES, type TableId } from '../../core/store/tables.ts';
import { StartError } from '../start-error.ts';
import type { ServiceModel } from '../template/service-model.ts';

/** The name of a table, as the environment of the functions gives it. Throws `StartError` when no function has the table. */
export function tableName({ functions }: Pick<ServiceModel, 'functions'>, id: TableId): string {
  for (const { environment } of functions.values()) {
    const name = environment[TABLES[id].variable];
    if (name !== undefined) return name;
  }
  throw new StartError(`no function of the template has the table ${id}`);
}

export interface StoreOfService {
  readonly model: Pick<ServiceModel, 'functions'>;
  readonly storeEndpoint: string;
}

/** Opens tables of the store; the wait for the store is a request's unless it is `patient`. The SDK is loaded here, when it is first needed. */
export async function openStoreTables<I extends TableId>(
  { model, storeEndpoint: endpoint }: StoreOfService,
  ids: readonly I[],
  wait: 'brief' | 'patient',
) {
  // As for the functions of this machine: the warning is for whoever runs them on AWS.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const { createStoreClient, openTables, PATIENT_RESPONSE_MS } = await import(
    '../../core/store/open-tables.ts'
  );
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const responseMs = wait === 'patient' ? PATIENT_RESPONSE_MS : undefined;
  const client = createStoreClient(responseMs, { endpoint, region: 'local', credentials });
  const names = Object.fromEntries(ids.map((id) => [id, tableName(model, id)])) as Record<I, string>;
  return { tables: openTables(client, names), close: () => client.destroy() };
}
