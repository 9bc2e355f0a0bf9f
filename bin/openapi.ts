/** `npm run openapi`: writes the documents that are made from code and recordings; with --check says whether they are up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { alarmTable } from '../lib/constructs/alarm-kinds.ts';
import { command, parse, run } from '../local/command-line.ts';
import { clientTypes } from '../packages/client/build/types.ts';
import { evidenceText } from '../tools/coverage/evidence.ts';
import { currentDocument } from '../tools/openapi/document.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const MARKED = /<!-- coverage -->.*?<!-- end -->/s;

async function readmeText(): Promise<string> {
  const readme = readFileSync(`${root}README.md`, 'utf8');
  if (!MARKED.test(readme)) throw new Error('README.md has no coverage marks');
  // The counts read the evidence file, which is written by then.
  const { countsText } = await import('../portal/site/coverage.ts');
  return readme.replace(MARKED, `<!-- coverage -->**${countsText()}.**<!-- end -->`);
}

const ALARMS = /(?<=^## Alarms\n\n)(.+ \| .+ \| .+\n(---\|.*\n)(.+\n)*)?/m;

function runbookText(): string {
  return readFileSync(`${root}docs/runbook.md`, 'utf8').replace(ALARMS, `${alarmTable()}\n`);
}

/** The arguments of each tool; what is said of them is written by hand. */
async function agentsText(): Promise<string> {
  // The records of the document stand in the order in which they are loaded, so the tools are loaded after it.
  const { TOOLS } = await import('../packages/mcp/tools.ts');
  const inputs = new Map(TOOLS.map(({ name, input }) => [name, Object.keys(input.def.shape)]));
  return readFileSync(`${root}docs/agents.md`, 'utf8').replace(
    /^- `(\w+)`(?: \(.*?\))?:/gm,
    (item, name: string) => {
      const listed = inputs.get(name)?.map((input) => `\`${input}\``) ?? [];
      return listed.length === 0 ? item : `- \`${name}\` (${listed.join(', ')}):`;
    },
  );
}

const DOCUMENTS: Readonly<Record<string, () => Promise<string>>> = {
  'docs/openapi.json': async () => `${JSON.stringify(await currentDocument(), null, 2)}\n`,
  'packages/client/api.ts': clientTypes,
  'core/reference/evidence.json': async () => evidenceText(`${root}recordings`),
  'README.md': readmeText,
  'docs/runbook.md': async () => runbookText(),
  'docs/agents.md': agentsText,
};

/** The first line in which two texts differ, as `file:line` with both sides. */
function firstDifference(name: string, committed: string, generated: string): string {
  const [left, right] = [committed.split('\n'), generated.split('\n')];
  const differs = left.findIndex((line, index) => line !== right[index]);
  const at = differs === -1 ? left.length : differs;
  const side = (lines: readonly string[]): string => lines[at] ?? '(end of file)';
  return `${name}:${at + 1}\n  committed: ${side(left)}\n  generated: ${side(right)}`;
}

await run(async () => {
  const about = `Writes ${Object.keys(DOCUMENTS).join(', ')} from the code and the recordings.`;
  const definition = command('npm run openapi --', about).option(
    '--check',
    'only say whether the committed ones are up to date',
  );
  const { check } = parse<{ check?: true }>(definition);
  const differences: string[] = [];
  for (const [name, write] of Object.entries(DOCUMENTS)) {
    const text = await write();
    if (check) {
      const committed = readFileSync(`${root}${name}`, 'utf8');
      if (committed !== text) differences.push(firstDifference(name, committed, text));
    } else {
      writeFileSync(`${root}${name}`, text);
      console.log(`wrote ${name}`);
    }
  }
  if (differences.length === 0) return 0;
  console.error(`${differences.join('\n')}\nout of date: run npm run openapi and commit the result`);
  return 1;
});
