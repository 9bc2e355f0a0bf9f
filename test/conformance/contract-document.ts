/** Reads docs/openapi.json for checks of responses: templates, operations, resolved references. */
import { readFileSync } from 'node:fs';

export interface DocumentedHeader {
  readonly required?: boolean;
  readonly schema: { readonly type?: string };
}
export interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, DocumentedHeader>>;
  readonly content?: Readonly<Record<string, unknown>>;
}
export interface DocumentedOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly paths: Readonly<Record<string, { readonly get: DocumentedOperation }>>;
}

const file = new URL('../../docs/openapi.json', import.meta.url);
export const contractDocument: Document = JSON.parse(readFileSync(file, 'utf8'));

/** A JSON pointer into the document, one argument a step. */
export const pointer = (...steps: readonly string[]): string =>
  `#/${steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

/** The node that `steps` lead to, and the steps to where it really stands. */
export function follow(steps: readonly string[]): { node: unknown; steps: readonly string[] } {
  let node: unknown = contractDocument;
  for (const step of steps) node = (node as Record<string, unknown> | undefined)?.[step];
  const reference = (node as { $ref?: string } | undefined)?.$ref;
  return reference === undefined ? { node, steps } : follow(reference.slice(2).split('/'));
}

/** Path templates; segments in braces take anything but a slash. */
const TEMPLATES = Object.keys(contractDocument.paths).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The template that a request's path (with or without a query) belongs to. */
export function templateOf(path: string): string | undefined {
  const [bare = ''] = path.split('?');
  return TEMPLATES.find(({ pattern }) => pattern.test(bare))?.template;
}

export const operationAt = (template: string): DocumentedOperation | undefined =>
  contractDocument.paths[template]?.get;
