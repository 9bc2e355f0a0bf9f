/** The forecast of a port: loads it, and says in a sentence under the trend what is likely. */
import type { Forecast } from '../../core/contracts/forecast.ts';
import { requestPath } from '../api/request-path.ts';
import type { Session } from '../api/session.ts';
import { forecastText, type ServedForecast } from '../chart/forecast-text.ts';
import { element } from '../view/element.ts';
import { planText } from '../view/plan-text.ts';

export interface ForecastNote {
  /** Shown under the chart. */
  readonly node: HTMLElement;
  /** The days to draw after the trend; undefined while there is none. */
  readonly days: () => ServedForecast['rows'] | undefined;
  clear(): void;
  load(port: string): Promise<void>;
}

/** `changed` is called when there are days to draw. */
export function createForecastNote(session: Session, changed: () => void): ForecastNote {
  const node = element('p', { class: 'chart-note forecast-note' });
  let forecast: ServedForecast | undefined;
  let running: AbortController | undefined;
  return {
    node,
    days: () => (forecast === undefined || forecast.rows.length === 0 ? undefined : forecast.rows),
    clear() {
      running?.abort();
      forecast = undefined;
      node.replaceChildren();
    },
    async load(port) {
      const mine = new AbortController();
      running = mine;
      const path = requestPath('forecast', { UNLOCODE: port });
      const outcome = await session.ask(path, mine.signal).catch((thrown: unknown) => {
        if (!mine.signal.aborted) throw thrown;
      });
      if (mine.signal.aborted || outcome === undefined) return;
      if (outcome.kind === 'error' && outcome.status === 403)
        node.replaceChildren(planText('Forecasts', 'forecast'));
      // Any other failure leaves the trend as it is: without a fan.
      if (outcome.kind !== 'data') return;
      forecast = JSON.parse(outcome.text) as Forecast;
      node.replaceChildren(forecastText(forecast));
      changed();
    },
  };
}
