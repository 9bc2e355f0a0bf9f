/** A tool: its description for agents, its input, and the client calls that make its response. */
import type * as z from 'zod/mini';
import type { Provenance } from './provenance.ts';
import type { Service } from './service.ts';

export type Row = Readonly<Record<string, unknown>>;

export interface ToolResponse {
  readonly rows: readonly Row[];
  readonly provenance: Provenance;
  /** Facts that the rows cannot state, each as a sentence. */
  readonly notes?: readonly string[];
  /** Requested ports without data, with the reason, which is not the same as nothing unusual. */
  readonly noData?: Readonly<Record<string, string>>;
}

/** `I` is the type that the input schema produces. */
export interface Tool<I = unknown> {
  readonly name: string;
  readonly title: string;
  /** When to use it, what its figures mean and their units. */
  readonly description: string;
  readonly input: z.ZodMiniObject;
  /** Schemas of the columns of its rows, in order, from the contract. */
  readonly columns: Readonly<Record<string, z.core.$ZodType>>;
  /** Rejects with a `ToolError`. */
  call(service: Service, input: I, signal: AbortSignal): Promise<ToolResponse>;
}

/** Erases the type of the input, so that one list can contain every tool. */
export const tool = <I>(definition: Tool<I>): Tool => definition as Tool;
