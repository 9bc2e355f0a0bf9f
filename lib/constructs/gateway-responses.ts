/** The gateway's own errors in the service's envelope, one gateway response for each row of their table. */
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { JSON_TYPE } from '../../core/contracts/headers.ts';
import {
  GATEWAY_ERRORS,
  type GatewayError,
  type GatewayValues,
  renderGatewayResponse,
} from '../../core/http/gateway-errors.ts';
import { CONTEXT_RATE_LIMIT, CONTEXT_RATE_RESET } from '../../core/keys/entitlements.ts';
import type { StageConfig } from '../stage-config.ts';

/** In a header, the name of a value of the request stands as it is, and text in quotes. */
const VARIABLES: GatewayValues = {
  requestId: 'context.requestId',
  rateLimit: `context.authorizer.${CONTEXT_RATE_LIMIT}`,
  rateReset: `context.authorizer.${CONTEXT_RATE_RESET}`,
};
const isVariable = (value: string): boolean => Object.values(VARIABLES).includes(value);

export function addGatewayResponses(api: RestApi, settings: StageConfig): void {
  for (const [type, error] of Object.entries<GatewayError>(GATEWAY_ERRORS)) {
    const { headers } = renderGatewayResponse(error, settings, VARIABLES);
    // In a body it follows a dollar sign.
    const inBody = { ...VARIABLES, requestId: `$${VARIABLES.requestId}` };
    api.addGatewayResponse(type, {
      type: ResponseType.of(type),
      statusCode: error.status?.toString(),
      responseHeaders: Object.fromEntries(
        headers.map(([name, value]) => [name, isVariable(value) ? value : `'${value}'`]),
      ),
      templates: { [JSON_TYPE]: renderGatewayResponse(error, settings, inBody).body },
    });
  }
}
