/** `docs/fields.md`: every field that a figure rests on, by source and list, from the declarations. */
import { groupBy } from '../../core/reference/grouping.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import type { NeededField, SourceDeclaration } from '../../core/upstream/source.ts';

const HEAD = `# Fields that figures rest on

<!-- Written by \`npm run openapi\` from the declarations of the sources; do not edit. -->
Each field has its form in brackets and is read whole in this form, or not at all (\`core/upstream/fields.ts\`). A row without a needed field is
refused, and so is a reply in which no row has a declared one. Rows may leave optional fields empty.`;

const quoted = ({ name }: NeededField): string =>
  name
    .split(' or ')
    .map((alternative) => `\`${alternative}\``)
    .join(' or ');

/** Fields of one form share its brackets. */
const named = (fields: readonly NeededField[]): string =>
  [...groupBy(fields, ({ form }) => form)]
    .map(([form, same]) => `${same.map(quoted).join(', ')} (${form})`)
    .join(', ');

function fieldsText(fields: readonly NeededField[]): string {
  const needed = named(fields.filter(({ optional }) => !optional));
  const optional = named(fields.filter((field) => field.optional));
  return [needed, optional && `optional ${optional}`].filter(Boolean).join('; ');
}

/** Lists with the same fields share an item. */
function sourceSection({ id, fields }: SourceDeclaration): string {
  const texts = [...groupBy(fields, ({ list }) => list)].map(([list, own]) => ({
    list,
    text: fieldsText(own),
  }));
  const items = [...groupBy(texts, ({ text }) => text)].map(
    ([text, lists]) => `- **${lists.map(({ list }) => list).join(', ')}**: ${text}`,
  );
  return `## ${id}\n\n${items.join('\n')}`;
}

export const fieldsPage = (): string => `${[HEAD, ...SOURCE_DECLARATIONS.map(sourceSection)].join('\n\n')}\n`;
