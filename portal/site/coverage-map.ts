/** The head of the coverage page: a map of the covered ports, and filters above the table that a script fills. */
import { EVIDENCE } from '../../core/reference/evidence.ts';
import { findPort } from '../../core/reference/ports.ts';
import { COVERAGE_ENDPOINTS } from '../../core/upstream/source.ts';
import type { CoveredPort } from '../api/coverage.ts';
import { findEvidence } from '../docs/coverage-filter.ts';
import { project, WORLD } from '../map/projection.ts';
import { escapeHtml } from './layout.ts';
import { worldPaths } from './world.ts';

const RADIUS = 4;
/** What a port rests on, best first. */
const FILTERS: readonly string[] = EVIDENCE;

/** A dot in the manner of what the port rests on; none where the reference has no position. */
function drawDot({ port, name, evidence }: CoveredPort): string {
  const place = findPort(port);
  if (place === undefined) return '';
  const { x, y } = project(place);
  const at = `cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${RADIUS}"`;
  return `<circle class="port-${findEvidence(evidence)}" data-port="${port}" ${at}><title>${escapeHtml(`${name}, ${port}: ${evidence}`)}</title></circle>`;
}

/** `texts`: what is shown of a value in its place. */
function drawSelect(
  name: string,
  label: string,
  values: Iterable<string>,
  texts = new Map<string, string>(),
) {
  const options = [...values].map(
    (value) => `<option value="${escapeHtml(value)}">${escapeHtml(texts.get(value) ?? value)}</option>`,
  );
  return `<label>${label}<select name="${name}"><option value="">all</option>${options.join('')}</select></label>`;
}

export function coverageHead(ports: readonly CoveredPort[]): string {
  const { width, height } = WORLD;
  const label = `World map of the ${ports.length} ports in the table below.`;
  // Dots of ports with better evidence lie above the others.
  const rank = ({ evidence }: CoveredPort): number => -FILTERS.indexOf(findEvidence(evidence));
  const dots = ports.toSorted((a, b) => rank(a) - rank(b)).map(drawDot);
  const legend = ['recorded', 'read', 'expected'].map(
    (evidence) =>
      `<span><svg viewBox="0 0 12 12" aria-hidden="true"><circle class="port-${evidence}" cx="6" cy="6" r="${RADIUS}"/></svg>${evidence}</span>`,
  );
  const byName = ports.toSorted((a, b) => a.country.localeCompare(b.country));
  const countries = new Map(byName.map(({ port, country }) => [port.slice(0, 2), country]));
  const filters = [
    drawSelect('country', 'Country', countries.keys(), countries),
    drawSelect('evidence', 'Evidence', FILTERS),
    drawSelect('endpoint', 'Endpoint with data', COVERAGE_ENDPOINTS),
    drawSelect('freshness', 'How fresh', new Set(ports.map(({ freshness }) => freshness).toSorted())),
  ];
  return `<section class="coverage" id="live" data-live="coverage" aria-label="Covered ports"><svg class="coverage-map" role="img" aria-label="${label}" viewBox="0 0 ${width} ${height}"><path class="land" d="${worldPaths(0).land}"/><g>${dots.join('')}</g></svg><p class="coverage-legend">${legend.join('')}</p><div class="coverage-chosen"></div><form class="coverage-filters" aria-label="Filters of the table">${filters.join('')}</form><div class="coverage-rows"><noscript>The table needs JavaScript. <a href="/docs/coverage.json">coverage.json</a> has the same.</noscript></div></section>`;
}
