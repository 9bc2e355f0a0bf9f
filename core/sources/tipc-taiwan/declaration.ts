/** The declaration of TIPC's vessel lists: licence, schedule, ports and limits. */
import type { SourceDeclaration } from '../source.ts';
import { TAIWANESE_PORTS } from './ports.ts';

const MEGABYTE = 1_000_000;

export const tipcTaiwanDeclaration: SourceDeclaration = {
  id: 'tipc-taiwan',
  name: 'TPNET inbound and outbound vessel lists',
  publisher: 'Taiwan International Ports Corporation (臺灣港務股份有限公司)',
  homepage: 'https://tpnet.twport.com.tw/IFAWeb/Function?_RedirUrl=/IFAWeb/Reports/InPortShipList',
  licence: 'public lists; the pages state no licence, so only figures derived from them are published',
  attribution: 'Source: Taiwan International Ports Corporation (臺灣港務股份有限公司), TPNET',
  everyMinutes: 30,
  freshnessBudgetMinutes: 180,
  kind: 'events',
  partitionedBy: 'port',
  ports: TAIWANESE_PORTS,
  hosts: ['tpnet.twport.com.tw'],
  coverage: {
    since: 'first fetch less 58 days, or back-fill',
    delay: 'at most 30 minutes old',
  },
  // A month of Kaohsiung is about 0.9 MB.
  largestReplyBytes: 16 * MEGABYTE,
};
