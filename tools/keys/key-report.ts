/** The output of the key command. */
import type { AdministeredPlan } from '../../core/access/key-administration.ts';
import type { IssuedKey, ListedKey } from './key-commands.ts';

const planText = (plan: AdministeredPlan | undefined): string => {
  if (plan === undefined) return 'none';
  return plan.tier === undefined ? `${plan.name} (no tier: refused)` : `${plan.tier} (${plan.name})`;
};

const HEADINGS = ['ID', 'NAME', 'PLAN', 'STATE', 'CREATED', 'LOGGED AS'] as const;

const cellsOf = ({ id, name, plan, enabled, created, digestPrefix }: ListedKey): string[] => [
  id,
  name,
  planText(plan),
  enabled ? 'enabled' : 'disabled',
  created?.slice(0, 10) ?? 'unknown',
  digestPrefix ?? 'value of no key: ignored',
];

/** A table of keys, one a line. */
export function tableOf(keys: readonly ListedKey[]): string {
  const rows = [[...HEADINGS], ...keys.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return rows.map(lineOf).join('\n');
}

/** One key after a change. */
export const keyText = ({ id, name, plan, enabled }: ListedKey): string =>
  `${name} (${id}): ${enabled ? 'enabled' : 'disabled'}, plan ${planText(plan)}`;

/** The only place where a secret is ever shown. */
export const issuedText = ({ id, name, plan, secret }: IssuedKey): string =>
  [
    `id      ${id}`,
    `name    ${name}`,
    `plan    ${planText(plan)}`,
    `secret  ${secret}`,
    'The secret is shown only once and stored nowhere: hand it over now.',
  ].join('\n');
