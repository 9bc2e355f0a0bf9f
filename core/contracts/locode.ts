/** UN/LOCODE on the wire. */
import * as z from 'zod/mini';
import { described } from './wire.ts';

/** UN/LOCODE as it stands in paths and answers. */
export const locode = described(z.string().check(z.regex(/^[A-Z]{2}[A-Z0-9]{3}$/), z.maxLength(5)), {
  description: 'UN/LOCODE of the port, upper case.',
  example: 'HKHKG',
});
