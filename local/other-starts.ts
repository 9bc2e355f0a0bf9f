/** On one machine another start may cover a port that this one does not: the hint of the 404 names it. */
import * as z from 'zod/mini';
import { ApiError } from '../core/contracts/errors.ts';
import type { Route } from '../core/contracts/route.ts';
import type { RequestHandler } from '../core/http/chain.ts';

/** Ports by the command that covers them, as JSON. */
const OTHER_STARTS = z.record(z.string(), z.array(z.string()));

/** @param text the variable OTHER_STARTS; undefined where no other start is known */
export function withOtherStarts<R extends Route>(
  handler: RequestHandler<R>,
  text: string | undefined,
): RequestHandler<R> {
  if (text === undefined) return handler;
  const starts = Object.entries(OTHER_STARTS.parse(JSON.parse(text)));
  return async (request, notes) => {
    try {
      return await handler(request, notes);
    } catch (error) {
      const { UNLOCODE: port } = request.path as { readonly UNLOCODE?: string };
      const { as_of: knownOn } = request.query as { readonly as_of?: unknown };
      const commands = starts.filter(([, ports]) => port !== undefined && ports.includes(port));
      // Data that were not known on a past day do not call for another start.
      const isAbsent = error instanceof ApiError && error.code === 'not_found' && knownOn === undefined;
      if (!isAbsent || commands.length === 0) throw error;
      const others = commands.map(([command]) => command).join(' or ');
      throw new ApiError('not_found', error.message, { hint: `${error.hint} ${others} covers ${port}.` });
    }
  };
}
