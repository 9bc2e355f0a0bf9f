/** Finds out whether the builder's answers come from the sample: by the sources of the ports, asked for once a key. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import { ROUTES } from '../../core/contracts/routes.ts';
import type { Session } from '../api/session.ts';
import type { SampleNotice } from '../view/sample-notice.ts';

/** The check may be called with every request; one that was not answered is made again with the next. */
export function createSampleCheck(session: Session, notice: SampleNotice): () => Promise<void> {
  let askedWith = '';
  return async () => {
    const { key } = session;
    if (key === '' || key === askedWith) return;
    askedWith = key;
    const outcome = await session.ask(ROUTES.ports.paths[0]);
    if (key !== session.key) return;
    if (outcome.kind === 'answer') notice.show(JSON.parse(outcome.text) as PortRecord[]);
    else askedWith = '';
  };
}
