/**
 * API Gateway on one machine: routes, authorizer, key check, native limits, proxy integration and gateway responses,
 * in the order and with the faults of the real one, as the template declares them.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { FunctionTimeout } from '../functions/functions.ts';
import { faultText } from '../start-fault.ts';
import type { ServiceModel } from '../template/model.ts';
import type { FunctionAnswer, SentHeader } from './function-answer.ts';
import { createGatewayResponses, type GatewayContext } from './gateway-responses.ts';
import { createOutbox } from './outbox.ts';
import { createPassage, type PassageParts } from './passage.ts';
import { type ReceivedRequest, receive } from './proxy-event.ts';
import { type AuthorizerContext, Refused } from './refused.ts';
import { createTargets, type TargetParts } from './targets.ts';

export interface GatewayOptions extends TargetParts, Pick<PassageParts, 'controlPlane' | 'usagePlans'> {
  readonly model: Pick<ServiceModel, 'apiId' | 'stage' | 'routes' | 'gatewayResponses' | 'functions'>;
}

export interface Gateway {
  readonly listener: RequestListener;
  /** The whole response, as bytes on the wire, to what could not be read as a request. */
  unreadable(): string;
}

/** A 304 or 204 has no body, an answer to HEAD has its headers only. Bodies of HEAD that were left out have no length. */
function send(response: ServerResponse, head: boolean, { status, headers, body }: FunctionAnswer): void {
  const bodiless = status === 304 || status === 204;
  const length: SentHeader = ['Content-Length', String(Buffer.byteLength(body))];
  response.writeHead(status, bodiless || (head && body === '') ? headers.slice() : [...headers, length]);
  response.end(bodiless || head ? undefined : body);
}

/** An answer as bytes on the wire, behind which the connection ends. */
function rawAnswer(reason: string, { status, headers, body }: FunctionAnswer): string {
  const lines = [...headers, ['Content-Length', Buffer.byteLength(body)], ['Connection', 'close']];
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${reason}\r\n${head}\r\n${body}`;
}

/** Throws `StartFault` at routes and gateway responses that are not understood. */
export function createGateway(options: GatewayOptions): Gateway {
  const { model, now, report } = options;
  const { apiId, stage } = model;
  const gatewayResponse = createGatewayResponses(model.gatewayResponses);
  const findTarget = createTargets(options);
  const pass = createPassage({ ...options, findTarget });
  const sendLater = createOutbox();

  const contextOf = (
    request: ReceivedRequest,
    authorizer: AuthorizerContext | undefined,
  ): GatewayContext => ({
    requestId: request.requestId,
    httpMethod: request.method,
    path: `/${stage}${request.path}`,
    resourcePath: findTarget(request.method, request.path)?.target.route.path ?? request.path,
    stage,
    apiId,
    requestTimeEpoch: request.receivedAt,
    sourceIp: request.sourceIp,
    authorizer,
  });

  /** The gateway response to whatever a passage rejected with. */
  const faultAnswer = (request: ReceivedRequest, thrown: unknown): FunctionAnswer => {
    if (thrown instanceof Refused) return gatewayResponse(thrown.type, contextOf(request, thrown.authorizer));
    const what = thrown instanceof FunctionTimeout ? '' : 'the function failed: ';
    report(`${request.method} ${request.path}: ${what}${faultText(thrown)}`);
    return gatewayResponse('INTEGRATION_FAILURE', contextOf(request, undefined));
  };

  return {
    listener: async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
      // No endpoint reads a body; one that is sent is let run out, so that the connection can be used again.
      message.resume();
      const request = receive(message, randomUUID(), now());
      let answer: FunctionAnswer;
      try {
        answer = await pass(request);
      } catch (thrown) {
        answer = faultAnswer(request, thrown);
      }
      sendLater(() => {
        if (!response.destroyed) send(response, request.method === 'HEAD', answer);
      });
    },
    unreadable: () =>
      rawAnswer(
        'Bad Request',
        gatewayResponse('BAD_REQUEST_PARAMETERS', {
          requestId: randomUUID(),
          httpMethod: '',
          path: '',
          resourcePath: '',
          stage,
          apiId,
          requestTimeEpoch: now(),
          sourceIp: '',
          authorizer: undefined,
        }),
      ),
  };
}
