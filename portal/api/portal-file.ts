/** The portal's own files, which the build writes beside its pages. */

/** Rejects when the file is not there: the portal was then not deployed in whole. */
export async function portalJson<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answers ${response.status}`);
  return (await response.json()) as T;
}
