/** One folder of tests as a Jest project; `extra` adds to its configuration. */
export function suite(folder: string, extra?: Readonly<Record<string, unknown>>): Record<string, unknown>;
