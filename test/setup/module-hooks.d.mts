type Resolved = { readonly url: string };
/** Node's hook: the module's address, with the suite that imports it if it is the project's own. */
export function resolve(
  specifier: string,
  context: { readonly parentURL?: string },
  next: (specifier: string) => Promise<Resolved>,
): Promise<Resolved>;
