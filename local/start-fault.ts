/** A reason not to start that the operator can act on; its message is the one line they get to read. */

export class StartFault extends Error {
  override readonly name = 'StartFault';
}

/** The text of anything thrown. Failures may come from another realm, so `instanceof` is no guide. */
export function faultText(thrown: unknown): string {
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) return String(thrown.message);
  return String(thrown);
}

/** The `code` of a Node error, undefined when there is none. */
export function faultCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}
