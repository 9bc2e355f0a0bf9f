/** A tool: its description for agents, its input, and the client calls that make its response. */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import type { Provenance } from './provenance.ts';
import type { Service } from './service.ts';

/** Values by column. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

export interface ToolResponse {
  readonly rows: readonly Row[];
  readonly provenance: Provenance;
  /** What the rows do not say, each as a sentence. */
  readonly notes?: readonly string[];
  /** Ports that were asked for and have no data, with the reason: not the same as nothing unusual. */
  readonly noData?: Readonly<Record<string, string>>;
}

export interface Tool<I extends z.ZodMiniObject = z.ZodMiniObject> {
  readonly name: string;
  readonly title: string;
  /** When to use it, what its figures mean and their units. */
  readonly description: string;
  readonly input: I;
  /** Of the rows, in order. */
  readonly columns: readonly string[];
  /** Rejects with the error of the client, or with a `ToolError`. */
  call(service: Service, input: z.output<I>, signal: AbortSignal): Promise<ToolResponse>;
}

/** Erases the type of the input, which the schema validates, so that one list can contain every tool. */
export const tool = <I extends z.ZodMiniObject>(definition: Tool<I>): Tool => definition as unknown as Tool;

/** A request that no call of the API can fulfil. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  constructor(
    readonly code: 'not_found',
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/** Input that refuses arguments that the tool does not have, and names those that it has. */
export const readInput = <S extends z.core.$ZodShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown argument ${issue.keys.join(', ')}; this tool takes ${Object.keys(shape).join(', ') || 'none'}`
        : undefined,
  });

/** The schema with its JSON Schema, which `zod/mini` does not provide by itself. */
export function withJsonSchema<S extends z.ZodMiniObject>(
  schema: S,
): StandardSchemaWithJSON<z.input<S>, z.output<S>> {
  const jsonSchemaOf =
    (io: 'input' | 'output') =>
    ({ target }: { target: string }) => {
      // The dialect is the protocol's own.
      const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io, target });
      return jsonSchema as Record<string, unknown>;
    };
  const jsonSchema = { input: jsonSchemaOf('input'), output: jsonSchemaOf('output') };
  return { '~standard': { ...schema['~standard'], jsonSchema } };
}
