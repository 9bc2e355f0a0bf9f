/** OCEANS-X replies after the published interface description, with made-up vessels. No real reply has been seen. */

const particulars = (fields: object = {}) => ({
  vesselName: 'EXAMPLE',
  callSign: '9VXX1',
  imoNumber: '9301237',
  flag: 'SG',
  ...fields,
});

export const arrival = (fields: object = {}, vessel: object = {}) => ({
  vesselParticulars: particulars(vessel),
  arrivedTime: '2026-03-09 06:00:00',
  locationFrom: 'SEA',
  locationTo: 'EASTERN ANCHORAGE',
  ...fields,
});

export const departure = (fields: object = {}, vessel: object = {}) => ({
  vesselParticulars: particulars(vessel),
  departedTime: '2026-03-10 18:30:00',
  ...fields,
});

export const declaration = (fields: object = {}, vessel: object = {}) => ({
  vesselParticulars: particulars(vessel),
  reportedArrivalTime: '2026-03-09 05:40:00',
  purpose: 'CARGO OPERATIONS',
  ...fields,
});

export const movement = (
  movementType: string,
  movementStartDateTime: string | null,
  movementEndDateTime: string | null,
  locationFrom: string,
  locationTo: string,
) => ({ movementType, movementStartDateTime, movementEndDateTime, locationFrom, locationTo });

/** Anchors at 06:10, leaves the anchorage at 20:00 and is at the berth at 21:15, Singapore time. */
export const MOVEMENTS = [
  movement('A', '2026-03-09 04:30:00', '2026-03-09 06:10:00', 'SEA', 'EASTERN ANCHORAGE'),
  movement('I', '2026-03-09 20:00:00', '2026-03-09 21:15:00', 'EASTERN ANCHORAGE', 'PASIR PANJANG P12'),
];

export const FETCHED_AT = Date.parse('2026-03-10T12:01:00Z');
export const REQUEST = '{"from":"2026-02-27T16:00:00Z","to":"2026-03-10T12:01:00Z","unanswered":[]}';
