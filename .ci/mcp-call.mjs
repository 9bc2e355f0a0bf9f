// Calls a tool of an installed MCP server as an agent would: node .ci/mcp-call.mjs COMMAND TOOL ARGUMENTS
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [command, name, given] = process.argv.slice(2);
const { PATH, PCD_BASE_URL, PCD_API_KEY } = process.env;
const client = new Client({ name: 'ci', version: '1' });
await client.connect(new StdioClientTransport({ command, env: { PATH, PCD_BASE_URL, PCD_API_KEY } }));
const { isError, content } = await client.callTool({ name, arguments: JSON.parse(given) });
if (isError) throw new Error(JSON.stringify(content));
console.log(content[0].text);
await client.close();
