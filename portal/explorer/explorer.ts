/** What every view of the explorer is drawn from. A view is a function of it and of the route. */
import type { DaysReader, ReadablePort } from '../api/files.ts';
import type { Responses } from '../api/responses.ts';
import { incompleteNotice, loadingNotice } from '../view/notice.ts';
import type { ScoreLines } from '../view/score-class.ts';

export interface Explorer {
  readonly responses: Responses;
  readonly days: DaysReader;
  /** Every port that a deployment can read; undefined until they are known. Read once the map is drawn. */
  readable(): readonly ReadablePort[] | undefined;
  /** The service replays recorded replies: its figures are not of now. */
  readonly isRecorded: boolean;
  readonly lines: ScoreLines;
  /** Shows the view of another address; `replace` leaves none of this one in the history. */
  go(address: string, how?: 'replace'): void;
  readonly chosen: Chosen;
  choose(chosen: Partial<Chosen>): void;
  redraw(): void;
}

interface Chosen {
  readonly portFilter: string;
  /** The day under a slider that is moving, which the address does not say yet. */
  readonly moved: { readonly day: string | undefined } | undefined;
  readonly listsAll: boolean;
  /** The map with the ports that have figures has been drawn, so that others may follow. */
  readonly isMapDrawn: boolean;
}

export const findNamed = <P extends { readonly port: string }>(
  records: readonly P[],
  code: string | undefined,
): P | undefined => records.find(({ port }) => port === code);

/** A view that is loaded when it is first drawn; a notice that `what` is loading, or that a file of the portal is missing, until then. */
export function loadedLater<M>(load: () => Promise<M>) {
  let loaded: M | 'loading' | 'missing' | undefined;
  return ({ redraw }: Explorer, what: string, draw: (view: M) => unknown): unknown => {
    if (loaded === undefined) {
      loaded = 'loading';
      void load()
        .catch(() => 'missing' as const)
        .then((view) => {
          loaded = view;
          redraw();
        });
    }
    if (loaded === 'missing') return incompleteNotice();
    return loaded === 'loading' ? loadingNotice(what) : draw(loaded as M);
  };
}
