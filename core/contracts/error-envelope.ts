/** The envelope in which every 4xx and 5xx is sent, as a schema. */
import * as z from 'zod/mini';
import { ERROR_CODES } from './error-codes.ts';
import { described, ONE_LINE } from './wire.ts';

export const errorEnvelope = described(
  z.object({
    code: described(z.enum(ERROR_CODES), { description: 'Machine-readable key.' }),
    message: described(z.string().check(z.regex(ONE_LINE), z.maxLength(500)), {
      description: 'One line for people.',
    }),
    request_id: described(z.uuid().check(z.maxLength(36)), {
      description: 'Equals the x-request-id header.',
    }),
    hint: z.optional(
      described(z.string().check(z.minLength(1), z.regex(ONE_LINE), z.maxLength(500)), {
        description: 'What to do next.',
      }),
    ),
  }),
  { description: 'Error envelope.' },
);
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;
