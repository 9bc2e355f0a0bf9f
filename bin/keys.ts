/** The key command: creates, lists, disables, enables, moves and rotates API keys. See `--help`. */
import { run } from '../local/command-line.ts';
import { openKeyStage, runKeyCommand } from '../tools/keys/key-commands.ts';

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

await run(() =>
  runKeyCommand(process.argv.slice(2), {
    openStage: openKeyStage,
    print: (text) => console.log(text),
    complain: (text) => console.error(text),
  }),
);
