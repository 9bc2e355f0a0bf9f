/** The declaration of MPA's OCEANS-X: licence, schedule, ports and limits. */
import { DECIMAL, fieldsOf, localTime } from '../../upstream/fields.ts';
import { MEGABYTE, type SourceDeclaration } from '../../upstream/source.ts';

/** Singapore has used UTC+8 since 1982. */
export const SINGAPORE_MINUTES = 8 * 60;
/** A T for the blank, and a fraction of zeros, are written too. */
export const SINGAPORE_TIME = localTime('YYYY-MM-DD HH:mm:ss', 'Singapore', SINGAPORE_MINUTES);

const VESSEL = { vesselParticulars: 'an object' };
const IMO_NUMBER = 'seven digits, zeros before them; or a word for none';
const TIME = SINGAPORE_TIME.form;

const KEY_ADVICE = 'the key is refused: check MPA_API_KEY';

export const mpaSingaporeDeclaration: SourceDeclaration = {
  id: 'mpa-singapore',
  name: 'OCEANS-X vessel arrivals, departures and movements',
  publisher: 'Maritime and Port Authority of Singapore (MPA)',
  homepage: 'https://oceans-x.mpa.gov.sg',
  licence:
    'terms of OCEANS-X registration, which the owner of the key accepts; read them before you publish figures',
  attribution: 'Maritime and Port Authority of Singapore, OCEANS-X',
  everyMinutes: 60,
  freshnessBudgetMinutes: 360,
  // An estimate: over a hundred vessels arrive a day, and no storm closes the port.
  silence: { of: 'events', maxHours: 6 },
  kind: 'events',
  ports: ['SGSIN'],
  hosts: ['oceans-x.mpa.gov.sg'],
  maxReplyBytes: 32 * MEGABYTE,
  maxRows: 200_000,
  fields: [
    ...fieldsOf('arrivals', { ...VESSEL, arrivedTime: TIME }),
    ...fieldsOf('departures', { ...VESSEL, departedTime: TIME }),
    ...fieldsOf('declarations', { ...VESSEL, reportedArrivalTime: TIME }, { purpose: 'text' }),
    ...['arrivals', 'departures', 'declarations'].flatMap((list) =>
      fieldsOf(`vesselParticulars of ${list}`, {}, { imoNumber: IMO_NUMBER, callSign: 'text' }),
    ),
    ...fieldsOf('vessels', VESSEL),
    ...fieldsOf('vesselParticulars of vessels', {}, { imoNumber: IMO_NUMBER, grossTonnage: DECIMAL.form }),
    ...fieldsOf(
      'movements',
      { movementType: 'text; A an arrival, D a departure' },
      {
        movementStartDateTime: TIME,
        movementEndDateTime: TIME,
        locationFrom: 'name of a place',
        locationTo: 'name of a place',
      },
    ),
  ],
  secret: 'MPA_API_KEY',
  // An error may come as an object with status 200; data are lists, and no name of a field in them is `code`.
  wholeAnswers: [
    { text: /^\s*\{[^[{]*"code"\s*:\s*"?40[13]\b/, reason: 'key-refused', advice: KEY_ADVICE },
    { text: /^\s*\{[^[{]*"code"\s*:\s*"?429\b/, reason: 'rate-limited', advice: 'too many requests' },
    { statuses: [401], reason: 'key-refused', advice: KEY_ADVICE },
    {
      statuses: [403],
      reason: 'not-subscribed',
      advice: 'subscribe the key to that API product',
    },
  ],
  coverage: { since: 'first fetch', delay: 'at most an hour old' },
};
