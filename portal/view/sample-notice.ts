/** Marks every view whose figures are simulated, so that they are not mistaken for real ones. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import { ROUTES } from '../../core/contracts/routes.ts';
import type { Session } from '../api/session.ts';
import type { ListedSource } from '../api/source-list.ts';
import { element } from './element.ts';

export interface SampleNotice {
  readonly node: HTMLElement;
  /** Shows the notice when a source of `ports` is a simulator. */
  show(ports: readonly Pick<PortRecord, 'sources'>[]): void;
}

const notice = (): HTMLElement =>
  element(
    'p',
    { class: 'notice notice-simulated', role: 'status' },
    element('strong', {}, 'Sample data.'),
    ' Every figure on this page is made up, the import index included. For real figures start the service with ',
    element('code', {}, 'npm start -- --recorded'),
    ' or ',
    element('code', {}, 'npm start -- --live'),
    '.',
  );

export function createSampleNotice(sources: readonly ListedSource[]): SampleNotice {
  const node = element('div', { class: 'sample-notice' });
  const simulated = new Set(sources.filter((source) => source.simulated).map(({ id }) => id));
  return {
    node,
    show(ports) {
      const isSimulated = ports.some((port) => port.sources.some((id) => simulated.has(id)));
      // A screen reader announces each change, so nothing changes when the notice is already there.
      if (isSimulated !== node.hasChildNodes()) node.replaceChildren(...(isSimulated ? [notice()] : []));
    },
  };
}

/**
 * Shows `notice` when the service serves a simulated port, in a view that does not list the ports itself: requests
 * the ports once per key, and again after a failure.
 */
export function createSampleCheck(session: Session, notice: SampleNotice): () => Promise<void> {
  let askedWith = '';
  return async () => {
    const { key } = session;
    if (key === '' || key === askedWith) return;
    askedWith = key;
    const outcome = await session.ask(ROUTES.ports.paths[0]);
    if (key !== session.key) return;
    if (outcome.kind === 'data') notice.show(JSON.parse(outcome.text) as PortRecord[]);
    else askedWith = '';
  };
}
