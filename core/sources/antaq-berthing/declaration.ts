/** The declaration of ANTAQ's berthing statistics: licence, schedule, ports and limits. */
import type { SourceDeclaration } from '../source.ts';
import { BRAZILIAN_PORTS } from './ports.ts';

const DAY_MINUTES = 24 * 60;
const MEGABYTE = 1_000_000;

export const antaqBerthingDeclaration: SourceDeclaration = {
  id: 'antaq-berthing',
  name: 'Estatístico Aquaviário: berthings and their times',
  publisher: 'ANTAQ, Agência Nacional de Transportes Aquaviários',
  homepage: 'https://web3.antaq.gov.br/ea/sense/download.html',
  licence: 'Brazilian open government data (Decreto 8.777/2016), free reuse with acknowledgement',
  attribution: 'Fonte: ANTAQ, Estatístico Aquaviário',
  gone: {
    since: '2026-06-23',
    notice: 'ANTAQ announces on its own pages that the Estatístico Aquaviário is offline from 23 June 2026',
  },
  passesOnCalls: true,
  everyMinutes: 7 * DAY_MINUTES,
  freshnessBudgetMinutes: 21 * DAY_MINUTES,
  kind: 'events',
  partitionedBy: 'port',
  ports: BRAZILIAN_PORTS,
  hosts: ['download.antaq.gov.br', 'web3.antaq.gov.br', 'estatistica.antaq.gov.br'],
  coverage: {
    since: '2010, by back-fill',
    delay: 'months old',
    notes: {
      snapshot: 'as of 30 days before the newest unberthing that ANTAQ has published',
      trend: 'with `until`, because the data end months ago',
      alerts: 'with `until`, because the data end months ago',
    },
  },
  largestReplyBytes: 64 * MEGABYTE,
};
