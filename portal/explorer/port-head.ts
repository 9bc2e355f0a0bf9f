/** The head of a port: its name and place, its state in a sentence, and what the figures rest on. */
import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Snapshot } from '../../core/contracts/snapshot.ts';
import { attributionsOf } from '../api/source-list.ts';
import type { WaitHistory } from '../chart/wait-spread.ts';
import { element } from '../view/element.ts';
import { placeText } from '../view/quantity.ts';
import type { ExplorerData } from './explorer-data.ts';
import { portSentence } from './port-sentence.ts';
import { restsOn } from './rests-on.ts';

const countries = new Intl.DisplayNames(['en'], { type: 'region' });

export interface PortHead {
  readonly node: HTMLElement;
  show(port: PortRecord): void;
  /** Says the state of the port that is shown. */
  tell(snapshot: Snapshot, waits: WaitHistory | undefined, change: PortChange | undefined): void;
}

export function createPortHead({ sources, now, settings }: ExplorerData): PortHead {
  let shown: Pick<PortRecord, 'wait_basis' | 'first_day'> = { wait_basis: null, first_day: null };
  const title = element('h2', { id: 'port-title', tabindex: -1 });
  const place = element('p', { class: 'place' });
  const sentence = element('p', { class: 'port-sentence' });
  const basisLine = element('p', { class: 'place rests-on' });
  const attribution = element('p', { class: 'place' });
  return {
    node: element(
      'header',
      { class: 'view-head' },
      element('div', {}, title, place, sentence, basisLine, attribution),
    ),
    show(port) {
      const { name, country, latitude, longitude, sources: behind } = port;
      shown = port;
      title.replaceChildren(name, ' ', element('code', {}, port.port));
      place.textContent = `${countries.of(country) ?? country} · ${placeText({ latitude, longitude })}`;
      sentence.textContent =
        port.as_of === null ? 'Nothing has been observed of this port yet.' : 'Reading the newest figures …';
      const isRecorded = settings.recordedUntil !== undefined;
      basisLine.replaceChildren(...restsOn(port, sources, { now: now(), isRecorded }));
      attribution.textContent = attributionsOf(sources, behind).join(' · ');
    },
    tell(snapshot, waits, change) {
      const today = new Date(now()).toISOString().slice(0, 10);
      sentence.textContent = portSentence({
        snapshot,
        basis: shown.wait_basis,
        firstDay: shown.first_day,
        today,
        waits,
        change,
      });
    },
  };
}
