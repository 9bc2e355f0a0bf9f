/** `npm run adopt`: writes the import that gives a stack back what its deletion left behind; docs/remove-a-stage.md has the steps. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { command, parse, run } from '../local/command-line.ts';
import { importChange } from '../tools/adopt/import-change.ts';

const ABOUT = `Writes adopt.template.json and adopt.resources.json beside LISTING, for a CloudFormation change set of type IMPORT. LISTING is the
answer of "aws cloudformation list-stack-resources" for the deleted stack.`;

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

await run(async () => {
  const definition = command('npm run adopt --', ABOUT)
    .requiredOption('--template <file>', 'template of the stack, from cdk.out')
    .requiredOption('--left <listing>', 'what the deleted stack left');
  const files = parse<{ template: string; left: string }>(definition);
  const { template, resources, leftOut } = importChange(readJson(files.template), readJson(files.left));
  const folder = dirname(files.left);
  writeFileSync(join(folder, 'adopt.template.json'), JSON.stringify(template));
  writeFileSync(join(folder, 'adopt.resources.json'), JSON.stringify(resources));
  console.log(`${resources.length} resources to import; left out: ${leftOut.join(', ') || 'none'}`);
});
