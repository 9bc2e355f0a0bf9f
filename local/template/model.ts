/** The service as the template declares it: routes, functions, tables, plans and schedules, connected. */

export interface FunctionModel {
  readonly arn: string;
  readonly name: string;
  /** Absolute path of the built CommonJS module, and the export to call. */
  readonly file: string;
  readonly exportName: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly memoryMegabytes: number;
  /** How asynchronous invocations are retried, and where permanently failed ones go. */
  readonly retryAttempts: number;
  readonly eventAgeMs: number;
  readonly deadLetters: string | undefined;
}

export interface AuthorizerModel {
  readonly functionArn: string;
  readonly identityHeader: string;
  readonly cacheMs: number;
}

export interface RouteModel {
  readonly method: string;
  /** For example `/v1/ports/{UNLOCODE}/trend`. */
  readonly path: string;
  readonly resourceId: string;
  readonly functionArn: string;
  readonly integrationTimeoutMs: number;
  readonly authorizer: AuthorizerModel | undefined;
  readonly apiKeyRequired: boolean;
}

export interface GatewayResponseModel {
  readonly type: string;
  readonly status: number | undefined;
  /** Header name to mapping expression. */
  readonly headers: Readonly<Record<string, string>>;
  readonly template: string | undefined;
}

export interface PlanModel {
  readonly id: string;
  readonly name: string;
  readonly throttle: { readonly ratePerSecond: number; readonly burst: number } | undefined;
  readonly monthlyQuota: number | undefined;
  readonly stages: readonly { readonly apiId: string; readonly stage: string }[];
  readonly tags: Readonly<Record<string, string>>;
}

export interface ScheduleModel {
  readonly name: string;
  readonly periodMs: number;
  readonly functionArn: string;
  readonly input: unknown;
}

/** Keys in the form of DynamoDB's CreateTable. */
export interface TableModel {
  readonly name: string;
  readonly AttributeDefinitions: readonly unknown[];
  readonly KeySchema: readonly { readonly AttributeName: string; readonly KeyType: 'HASH' | 'RANGE' }[];
}

export interface ServiceModel {
  readonly apiId: string;
  readonly stage: string;
  readonly routes: readonly RouteModel[];
  readonly gatewayResponses: readonly GatewayResponseModel[];
  readonly plans: readonly PlanModel[];
  /** The functions that a route, an authorizer or a schedule calls, by ARN. */
  readonly functions: ReadonlyMap<string, FunctionModel>;
  readonly tables: readonly TableModel[];
  readonly schedules: readonly ScheduleModel[];
}
