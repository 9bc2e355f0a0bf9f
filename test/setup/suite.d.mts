/** One folder of tests as a Jest project; `extra` adds to its configuration. */
export function suite(name: string, extra?: Readonly<Record<string, unknown>>): Record<string, unknown>;
