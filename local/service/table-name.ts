/** Names of the service's tables, as the environment of its functions gives them. */
import { TABLES, type TableId } from '../../core/store/tables.ts';
import { StartError } from '../start-error.ts';
import type { ServiceModel } from '../template/model.ts';

/** Throws `StartError` when no function has the table. */
export function tableName({ functions }: Pick<ServiceModel, 'functions'>, id: TableId): string {
  for (const { environment } of functions.values()) {
    const name = environment[TABLES[id].variable];
    if (name !== undefined) return name;
  }
  throw new StartError(`no function of the template has the table ${id}`);
}
