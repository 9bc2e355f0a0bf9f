/** Ports without data: how many the map rings, and how they get figures. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ReadablePort } from '../api/files.ts';
import type { Explorer } from './explorer.ts';
import { readPorts, type ShownPorts } from './shown-ports.ts';

/** On a machine of one's own the data can be changed; where a deployment fetches, figures come by themselves. */
const isLocal = (explorer: Explorer): boolean =>
  explorer.isRecorded || readPorts(explorer).records.some(({ evidence }) => evidence === 'simulated');

/** One line below the map; its room is reserved. */
export function unheldLine(
  explorer: Explorer,
  { ports, held }: ShownPorts,
  day: string | undefined,
): TemplateResult {
  const rings = ports.filter(({ as_of }) => as_of === null);
  if (explorer.readable() === undefined || rings.length === 0) return html`<p class="unheld"></p>`;
  const readable = rings.filter(({ port }) => !held.has(port)).length;
  const other = rings.length - readable;
  const otherDays =
    day === undefined || other === 0
      ? nothing
      : `${other === 1 ? '1 port has' : `${other} ports have`} figures of other days only. `;
  const how = isLocal(explorer)
    ? html`<code>npm start -- --live</code> reads them from their sources, some with a free key. `
    : nothing;
  const count = readable === 1 ? '1 more port' : `${readable} more ports`;
  const rest = readable === 0 ? nothing : html`${count} can be read, nothing of them is held here. ${how}`;
  return html`<p class="unheld">${otherDays}${rest}<a href="/docs/coverage.html">Coverage</a></p>`;
}

export function unheldHow(explorer: Explorer, { port, sample }: ReadablePort): TemplateResult {
  const simulated = sample && html`; <code>npm start -- --sample</code> simulates it`;
  const how = isLocal(explorer)
    ? html` <code>npm start -- --live</code> reads it from its source${simulated}.`
    : nothing;
  return html`Can be read, but nothing of this port is held here.${how} <a href="/docs/coverage.html?port=${port}">How it is read</a>`;
}
