/** The commands that the operators' pages state, read from the pages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(import.meta.dirname, '../../docs');

/** A fenced block of shell, or one command in the text. */
export interface DocumentedCommand {
  readonly page: string;
  /** The nearest heading above it. */
  readonly heading: string;
  readonly text: string;
}

const FENCE = /^ *```(\w*)$/;
const IN_TEXT = /`((?:aws|curl|npm run|npx) [^`]+)`/g;

/** The commands of `docs/PAGE` in their order. */
export function commandsOf(page: string): DocumentedCommand[] {
  const commands: DocumentedCommand[] = [];
  let heading = '';
  let text: string[] = [];
  let block: { readonly language: string; readonly lines: string[] } | undefined;
  const readText = (): void => {
    for (const [, command = ''] of text.join('\n').matchAll(IN_TEXT))
      commands.push({ page, heading, text: command.replaceAll(/\s*\n\s*/g, ' ') });
    text = [];
  };
  for (const line of readFileSync(join(DOCS, page), 'utf8').split('\n')) {
    const [fence, language = ''] = FENCE.exec(line) ?? [];
    if (fence !== undefined && block === undefined) {
      readText();
      block = { language, lines: [] };
    } else if (fence !== undefined && block !== undefined) {
      if (['', 'sh'].includes(block.language)) commands.push({ page, heading, text: block.lines.join('\n') });
      block = undefined;
    } else if (block !== undefined) block.lines.push(line);
    else if (/^#+ /.test(line)) {
      readText();
      heading = line.replace(/^#+ /, '');
    } else text.push(line);
  }
  readText();
  return commands;
}
