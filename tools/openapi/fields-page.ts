/** `docs/fields.md`: every field that a figure rests on, by source and list, from the declarations. */
import { DEPLOYED_SOURCES } from '../../core/sources/registry.ts';

const HEAD = `# Fields that figures rest on

<!-- Written by \`npm run openapi\` from the declarations of the sources; do not edit. -->
Each is read whole in its form, or not at all (\`core/upstream/fields.ts\`). A row without a needed field is refused, and so is a reply of which no row
has a declared one. A row may leave an optional field empty.
`;

const cell = (text: string): string => text.replaceAll('|', '\\|');

export function fieldsPage(): string {
  const rows = DEPLOYED_SOURCES.flatMap(({ declaration: { id, fields } }) =>
    fields.map(({ list, name, form, optional }) => {
      const field = name
        .split(' or ')
        .map((one) => `\`${one}\``)
        .join(' or ');
      return `| ${id} | ${list} | ${field} | ${cell(form)} | ${optional ? 'optional' : 'needed'} |`;
    }),
  );
  return `${HEAD}
| Source | List | Field | Form | |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
