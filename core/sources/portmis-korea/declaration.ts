/** The declaration of PORT-MIS: licence, schedule, ports and limits. */
import type { SourceDeclaration } from '../source.ts';
import { KOREAN_PORTS } from './ports.ts';

const MEGABYTE = 1_000_000;

export const portmisKoreaDeclaration: SourceDeclaration = {
  id: 'portmis-korea',
  name: 'PORT-MIS vessel control events, entries and exits',
  publisher: 'Ministry of Oceans and Fisheries (해양수산부)',
  homepage: 'https://www.data.go.kr/data/15006354/openapi.do',
  licence: 'Korean public data (data.go.kr); the pages of the two data sets state no restriction',
  attribution: 'Ministry of Oceans and Fisheries (해양수산부), PORT-MIS, data.go.kr',
  passesOnCalls: true,
  everyMinutes: 60,
  freshnessBudgetMinutes: 360,
  kind: 'events',
  partitionedBy: 'port',
  ports: KOREAN_PORTS,
  hosts: ['apis.data.go.kr'],
  // A page has 50 calls; the largest known are about 0.2 MB.
  largestReplyBytes: 8 * MEGABYTE,
  secret: 'PORTMIS_SERVICE_KEY',
  coverage: { since: 'first fetch less 60 days', delay: 'at most an hour old' },
};
