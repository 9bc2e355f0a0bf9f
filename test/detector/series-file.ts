/** A series file: one JSON object with a name, values in order, and the change points that people marked in them, if any. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const seriesFile = z
  .object({
    name: z.string().min(1),
    length: z.number().int().nonnegative().optional(),
    /** One value for each step; null where none was observed. */
    values: z.array(z.number().nullable()).min(1),
    /** Indices of first observations of a new regime, by annotator. */
    annotations: z.record(z.string(), z.array(z.number().int().nonnegative())).default({}),
  })
  .refine(({ length, values }) => length === undefined || length === values.length, {
    path: ['length'],
    message: 'differs from the number of values',
  })
  .refine(
    ({ annotations, values }) =>
      Object.values(annotations).every((marks) => marks.every((index) => index < values.length)),
    { path: ['annotations'], message: 'point beyond the last value' },
  );

/** The file cannot be used; the message is one line that names it. */
class UnusableSeries extends Error {
  override readonly name = 'UnusableSeries';
}

/** Reads a series file; throws `UnusableSeries`, which names `path` and the field at fault. */
export async function readSeries(path: string): Promise<z.infer<typeof seriesFile>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UnusableSeries(`${path}: cannot be read (${error.code ?? error.message})`);
  });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new UnusableSeries(`${path}: not JSON`);
  }
  const { success, data, error } = seriesFile.safeParse(content);
  if (success) return data;
  const [issue] = error.issues;
  const field = issue?.path.join('.') || 'the file';
  throw new UnusableSeries(`${path}: ${field}: ${issue?.message ?? 'invalid'}`);
}
