/** Says in every view that shows figures when they are made up: they must not be taken for real ones. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { ListedSource } from '../api/source-list.ts';
import { element } from './element.ts';

export interface SampleNotice {
  readonly node: HTMLElement;
  /** `ports` are those served: the sources that they name tell whether the figures are made up. */
  show(ports: readonly Pick<PortRecord, 'sources'>[]): void;
}

const notice = (): HTMLElement =>
  element(
    'p',
    { class: 'notice notice-simulated', role: 'status' },
    element('strong', {}, 'Sample data.'),
    ' Every figure on this page is made up, the import index too. For real ones start the service with ',
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
      // What is said already is not said again each time that a score comes in.
      if (isSimulated !== node.hasChildNodes()) node.replaceChildren(...(isSimulated ? [notice()] : []));
    },
  };
}
