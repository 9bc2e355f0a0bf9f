/** What users of the client import. */
export * from './client.ts';
export type * from './contract.ts';
export * from './error.ts';
export type * from './options.ts';
