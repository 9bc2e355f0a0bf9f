/** The key command: creates, lists, disables, enables, moves and rotates API keys. See `--help`. */
import { run } from '../local/command-line.ts';
import { openKeyStage } from '../tools/keys/key-stage.ts';
import { runKeyCommand } from '../tools/keys/run-key-command.ts';

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

await run(() =>
  runKeyCommand(process.argv.slice(2), {
    openStage: openKeyStage,
    print: (text) => console.log(text),
    complain: (text) => console.error(text),
  }),
);
