/** A source whose replies a test writes: each fetch returns the next one, as JSON of its observations. */
import type { CallRecord, CallsObservation, Observation } from '../../core/calls/observation.ts';
import { DAY_MS, type Instant } from '../../core/reference/time.ts';
import { UpstreamFailure } from '../../core/upstream/http-client.ts';
import {
  type FetchedFiles,
  type RecordSource,
  type Refusal,
  Refusals,
  RefusedReply,
} from '../../core/upstream/source.ts';

interface ScriptedReply {
  readonly asOfAt: Instant;
  readonly observations: readonly Observation[];
  readonly refusals?: readonly Refusal[];
}

/** A reply, a reply that the parse refuses, or an upstream that does not respond. */
type ScriptedTurn = ScriptedReply | 'garbage' | UpstreamFailure;

const REPLY_FILE = 'reply.json';

/** A reply, or what stands in its place, as the files of a fetch. */
export const replyFiles = (reply: ScriptedReply | string): FetchedFiles => {
  const text = typeof reply === 'string' ? reply : JSON.stringify(reply);
  return new Map([[REPLY_FILE, new TextEncoder().encode(text)]]);
};

export interface ScriptedSource extends RecordSource {
  readonly turns: ScriptedTurn[];
}

export const SCRIPTED_PORT = 'HKHKG';

/** Records of the port, which cover the day before them. */
export const batchAt = (
  observedAt: Instant,
  records: readonly CallRecord[] = [],
  more: Partial<CallsObservation> = {},
): CallsObservation => ({
  kind: 'call-batch',
  port: SCRIPTED_PORT,
  observedAt,
  coveredFromAt: observedAt - DAY_MS,
  records,
  ...more,
});

/** A source of one port; push the replies of the upstream to `turns`. */
export function scriptedSource(id = 'scripted', ports: readonly string[] = [SCRIPTED_PORT]): ScriptedSource {
  const turns: ScriptedTurn[] = [];
  return {
    turns,
    declaration: {
      id,
      name: 'Scripted source',
      publisher: 'a test',
      homepage: 'https://example.org',
      licence: 'none',
      attribution: 'none',
      everyMinutes: 20,
      freshnessBudgetMinutes: 60,
      kind: 'polls',
      ports,
      hosts: [],
      maxReplyBytes: 1_000_000,
      maxRows: 100_000,
      fields: [],
    },
    async fetch() {
      const turn = turns.shift() ?? new UpstreamFailure('network', 'the script is over');
      if (turn instanceof Error) throw turn;
      return replyFiles(turn === 'garbage' ? '<html>not a reply</html>' : turn);
    },
    parse({ files }) {
      const text = new TextDecoder().decode(files.get(REPLY_FILE));
      if (!text.startsWith('{')) throw new RefusedReply('not-json', 'the reply is not JSON');
      const { asOfAt, observations, refusals = [] } = JSON.parse(text) as ScriptedReply;
      return { asOfAt, observations, refusals: new Refusals(...refusals), lists: [] };
    },
  };
}
