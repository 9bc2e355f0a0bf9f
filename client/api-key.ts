/** What a key must be before it is sent anywhere. No message here repeats it. */

/** A page, or a worker of one: whatever runs there is readable by every visitor. */
function inBrowser(): boolean {
  const { document, importScripts } = globalThis as { document?: unknown; importScripts?: unknown };
  return document !== undefined || typeof importScripts === 'function';
}

/** Throws a TypeError unless the key can stand in a header and may be used here. */
export function checkKey(key: string | undefined, allowLiveInBrowser: boolean): void {
  if (key === undefined) return;
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('apiKey is empty or has characters that no key has, such as a space or a line end');
  if (key.startsWith('pcd_live_') && inBrowser() && !allowLiveInBrowser)
    throw new TypeError(
      'a live key does not belong in a browser, where every visitor can read it: call the service from a server of yours, or set allowLiveKeyInBrowser',
    );
}
