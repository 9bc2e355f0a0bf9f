/** What `cdk synth` and `cdk deploy` run. */
import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib';
import { defineApplication } from '../lib/application.ts';
import { run } from '../local/command-line.ts';

await run(async () => {
  const app = new App();
  defineApplication(app, { portalDir: fileURLToPath(new URL('../dist/portal', import.meta.url)) });
  app.synth();
});
