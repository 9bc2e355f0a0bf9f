/** Files of the portal and of the releases that are read once, when they are first asked for. */
import { portalJson } from './source-list.ts';

/** The content of the file at a path; `absent` where there is none, and undefined until that is known. */
export type FileReader = <T>(path: string, absent: T) => T | undefined;

/** Calls `changed` whenever a call would return something else. */
export function createFileReader(changed: () => void): FileReader {
  const files = new Map<string, unknown>();
  return <T>(path: string, absent: T): T | undefined => {
    if (!files.has(path)) {
      files.set(path, undefined);
      const keep = (content: unknown): void => {
        files.set(path, content);
        changed();
      };
      portalJson<T>(path).then(keep, () => keep(absent));
    }
    return files.get(path) as T | undefined;
  };
}
