/** What `cdk synth` and `cdk deploy` run. */
import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib';
import { SOURCE_DECLARATIONS } from '../core/sources/declarations.ts';
import { defineApplication, HANDLERS_DIR } from '../lib/application.ts';
import { run } from '../local/command-line.ts';

await run(async () => {
  const app = new App();
  defineApplication(app, {
    sources: SOURCE_DECLARATIONS,
    handlersDir: HANDLERS_DIR,
    portalDir: fileURLToPath(new URL('../dist/portal', import.meta.url)),
  });
  app.synth();
});
