import type { IncomingMessage } from 'node:http';

export function isOwnRequest(request: Pick<IncomingMessage, 'headers' | 'url'>, secret: string): boolean;
