/** Alert feed: the alerts of all ports since a day, in pages. */
import {
  alertFeedRoute,
  DEFAULT_SINCE_DAYS,
  MAX_SINCE_DAYS,
  type PortAlert as PortAlertRecord,
} from '../../core/contracts/alerts.ts';
import { ApiError } from '../../core/contracts/errors.ts';
import { addDays, type Day, dayOf } from '../../core/reference/time.ts';
import { alertsOfDays, type PortAlert } from '../../core/store/alerts.ts';
import { alertRecord } from '../../core/store/served-records.ts';
import { isWanted } from './alerts.ts';
import { endpoint } from './endpoint.ts';

const record = ({ id, port, ...alert }: PortAlert): PortAlertRecord => ({
  id,
  port,
  country: port.slice(0, 2),
  ...alertRecord(alert),
});

/** The first day that is asked for. Throws `validation_failed` for one in the future or too far back. */
function firstDay(since: Day | undefined, today: Day): Day {
  const [earliest, usual] = [addDays(today, -MAX_SINCE_DAYS), addDays(today, 1 - DEFAULT_SINCE_DAYS)];
  if (since === undefined) return usual;
  if (since > today)
    throw new ApiError('validation_failed', 'since must not be after today.', {
      hint: `The newest day is since=${today} (UTC); omit since for the last ${DEFAULT_SINCE_DAYS} days.`,
    });
  if (since < earliest)
    throw new ApiError('validation_failed', `since must be at most ${MAX_SINCE_DAYS} days back.`, {
      hint: `The earliest day is since=${earliest}; GET /v1/ports/{UNLOCODE}/alerts has the alerts before it.`,
    });
  return since;
}

export const alertFeed = endpoint({
  route: alertFeedRoute,
  tables: { alertFeed: 'read' },
  memoryMb: 512,
  create(tables, { now }) {
    return async ({ query: { since, country, port, after, limit, ...filters } }) => {
      const today = dayOf(now());
      const first = firstDay(since, today);
      const last = after?.slice(0, after.indexOf('.')) ?? today;
      const alerts = first > last ? [] : await alertsOfDays(tables.alertFeed, first, last);
      return alerts
        .filter(
          (alert) =>
            (country === undefined || alert.port.startsWith(country)) &&
            (port === undefined || alert.port === port) &&
            isWanted(alert, filters) &&
            (after === undefined || !alert.id.startsWith(last) || alert.id > after),
        )
        .slice(0, limit)
        .map(record);
    };
  },
});
