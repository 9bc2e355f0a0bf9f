/** Files of the portal itself, which the build writes beside the pages. */

/** Rejects when the file is missing, because the portal was not deployed completely. */
export async function portalJson<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} returned ${response.status}`);
  return (await response.json()) as T;
}
