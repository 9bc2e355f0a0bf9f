/** An error of the start that the operator can fix; its message is one line. */

export class StartError extends Error {
  override readonly name: string = 'StartError';
}

/** The message of any thrown value. Errors may come from another realm, where `instanceof` does not work. */
export function errorText(thrown: unknown): string {
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) return String(thrown.message);
  return String(thrown);
}

/** The `code` of a Node error, undefined when there is none. */
export function errorCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}
