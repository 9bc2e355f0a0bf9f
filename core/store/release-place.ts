/** Where releases of the dataset are kept: a folder of this machine, or a bucket. */

/** A release cannot be written or read; the message says why and what to do. */
export class ReleaseFailure extends Error {
  override readonly name = 'ReleaseFailure';
}

/** Name of the file in the folder of a release that makes it one: it is written last. */
export const MANIFEST = 'manifest.json';
/** Names the newest release. */
export const LATEST = 'latest.json';
/** The newest release as a page. */
export const INDEX = 'index.html';

/** Name of the folder of the release of a day. */
export const releaseFolder = (day: string): string => `release=${day}`;

/** A release in the making. Nobody sees it before it is published. */
interface Draft {
  /** Folder of this machine that its files are written to, by their paths within the release. */
  readonly folder: string;
  /**
   * Makes the release visible: `files` first, then the manifest, then the files beside the releases that name it.
   * Throws ReleaseFailure.
   */
  publish(
    files: readonly string[],
    manifest: string,
    beside: Readonly<Record<string, string>>,
  ): Promise<void>;
  /** Removes what is not published. */
  discard(): Promise<void>;
}

export interface ReleasePlace {
  /** The folder of this machine that is written to, as messages name it. */
  readonly name: string;
  /** The text of a file by its path; undefined when there is none. Throws ReleaseFailure. */
  read(path: string): Promise<string | undefined>;
  /** Begins the release of a day, without anything that a killed run left. Throws ReleaseFailure. */
  draft(day: string): Promise<Draft>;
}
