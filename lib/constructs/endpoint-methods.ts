/** The methods of one operation, on its path and on every alias of it. */
import {
  AuthorizationType,
  type IAuthorizer,
  LambdaIntegration,
  type MethodOptions,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { KEY_HEADER } from '../../core/contracts/headers.ts';
import type { Route } from '../../core/contracts/routes.ts';
import { acknowledge } from '../acknowledgements.ts';

/** HEAD responds as GET does, without the body. */
const METHODS = ['GET', 'HEAD'] as const;

export interface EndpointMethodsProps {
  readonly api: RestApi;
  readonly authorizer: IAuthorizer;
  readonly corsOrigins: readonly string[];
}

/** Adds the methods of `route`, served by `lambda`, behind the authorizer and a plan's key unless it is open. */
export function addEndpointMethods(
  route: Pick<Route, 'paths' | 'authenticated'>,
  lambda: IFunction,
  { api, authorizer, corsOrigins }: EndpointMethodsProps,
): void {
  const access: MethodOptions = route.authenticated
    ? { authorizer, authorizationType: AuthorizationType.CUSTOM, apiKeyRequired: true }
    : { authorizationType: AuthorizationType.NONE, apiKeyRequired: false };
  const integration = new LambdaIntegration(lambda, { allowTestInvoke: false });
  for (const path of route.paths) {
    const resource = api.root.resourceForPath(path);
    for (const httpMethod of METHODS) {
      const method = resource.addMethod(httpMethod, integration, access);
      acknowledge(method, 'ownAuthorizer');
      if (!route.authenticated) acknowledge(method, 'openHealth');
    }
    // Which response headers a page may read is stated by the response itself; browsers ignore it on a preflight.
    if (corsOrigins.length > 0) {
      resource.addCorsPreflight({
        allowOrigins: [...corsOrigins],
        allowMethods: [...METHODS],
        allowHeaders: [KEY_HEADER, 'If-None-Match'],
      });
    }
  }
}
