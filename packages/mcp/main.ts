#!/usr/bin/env node
/** MCP over standard input and output, until the input ends. Nothing but the protocol goes to standard output. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from './server.ts';
import { createService } from './service.ts';
import { readSettings } from './settings.ts';

try {
  const settings = readSettings(process.argv.slice(2), process.env);
  if ('text' in settings) process.stdout.write(settings.text);
  else {
    const service = createService(settings);
    serveStdio(() => createMcpServer(service), { onerror: ({ message }) => console.error(message) });
  }
} catch (thrown) {
  if (!(thrown instanceof TypeError)) throw thrown;
  console.error(thrown.message.replace(/^apiKey/, 'PCD_API_KEY'));
  process.exitCode = 1;
}
