/** A tool: its description for agents, its input, and the client calls that make its response. */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { type Provenance, provenanceShape } from './provenance.ts';
import type { Service } from './service.ts';

export interface ToolResponse<D> {
  /** The data that the API returned. */
  readonly data: D;
  readonly provenance: Provenance;
}

export interface Tool<
  I extends z.ZodMiniObject = z.ZodMiniObject,
  D extends z.core.$ZodType = z.core.$ZodType,
> {
  readonly name: string;
  readonly title: string;
  /** When to use it, what its figures mean and their units. */
  readonly description: string;
  readonly input: I;
  /** Schema of `data`. */
  readonly data: D;
  /** Rejects with the error of the client. */
  call(service: Service, input: z.output<I>, signal: AbortSignal): Promise<ToolResponse<z.output<D>>>;
}

/** Validates calls against the tool's schemas and erases their types, so that one list can contain every tool. */
export const tool = <I extends z.ZodMiniObject, D extends z.core.$ZodType>(definition: Tool<I, D>): Tool =>
  definition as unknown as Tool;

/** Schema of a tool's structured output. */
export const outputOf = ({ data }: Tool) => z.object({ ...provenanceShape, data });

/** The schema with its JSON Schema, which `zod/mini` does not provide by itself. */
export function withJsonSchema<S extends z.ZodMiniObject>(
  schema: S,
): StandardSchemaWithJSON<z.input<S>, z.output<S>> {
  const jsonSchemaOf =
    (io: 'input' | 'output') =>
    ({ target }: { target: string }) =>
      z.toJSONSchema(schema, { io, target }) as Record<string, unknown>;
  const jsonSchema = { input: jsonSchemaOf('input'), output: jsonSchemaOf('output') };
  return { '~standard': { ...schema['~standard'], jsonSchema } };
}
