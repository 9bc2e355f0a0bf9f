/** `npm run preflight -- --stage dev`: says what an account lacks for a deployment of the stage, and what to type. Changes nothing. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { command, parse, run } from '../local/command-line.ts';
import { type Aws, findingLines, preflight } from '../tools/preflight/preflight.ts';

const aws: Aws = (...words) =>
  new Promise((resolve, reject) => {
    execFile('aws', words, { encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr.trim() || error.message));
      else resolve(stdout);
    });
  });

await run(async () => {
  const definition = command(
    'npm run preflight --',
    'Says what the account and region of the shell lack for a stage, and what to type. Ends with code 1 where a deployment would fail.',
  ).requiredOption('--stage <name>', 'dev or prod');
  const { stage } = parse<{ readonly stage: string }>(definition);
  const file = readFileSync(new URL('../cdk.json', import.meta.url), 'utf8');
  const { context } = JSON.parse(file) as { context: object };
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const configured = await aws('configure', 'get', 'region').catch(() => '');
  const region = [AWS_REGION, AWS_DEFAULT_REGION, configured.trim()].find((name) => name);
  const findings = await preflight(aws, { ...context, stage }, region);
  for (const line of findingLines(findings)) console.log(line);
  return findings.some(({ verdict }) => verdict === 'missing') ? 1 : 0;
});
