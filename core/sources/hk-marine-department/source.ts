/** The Hong Kong Marine Department as a source of polls of HKHKG. */
import type { Source } from '../source.ts';
import { hkMarineDepartmentDeclaration } from './declaration.ts';
import { fetchReports } from './fetch.ts';
import { backfillDay, HISTORY_HOSTS } from './history.ts';
import { parseReports } from './parse.ts';

export const hkMarineDepartment: Source = {
  declaration: hkMarineDepartmentDeclaration,
  fetch: fetchReports,
  parse: parseReports,
  history: { hosts: HISTORY_HOSTS, fetchDay: backfillDay },
};
