/** Checks the key before it is sent. No message contains it. */

/** Whether this is a page or a worker of one, whose code every visitor can read. */
function inBrowser(): boolean {
  const { document, importScripts } = globalThis as { document?: unknown; importScripts?: unknown };
  return document !== undefined || typeof importScripts === 'function';
}

/** Throws a TypeError unless the key fits in a header and may be used here. */
export function checkKey(key: string | undefined, allowLiveInBrowser: boolean): void {
  if (key === undefined) return;
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError(
      'apiKey is empty or has characters that keys never have, such as a space or a line end',
    );
  if (key.startsWith('pcd_live_') && inBrowser() && !allowLiveInBrowser)
    throw new TypeError(
      'a live key does not belong in a browser, where every visitor can read it: call the service from your own server, or set allowLiveKeyInBrowser',
    );
}
