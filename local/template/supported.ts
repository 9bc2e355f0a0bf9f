/** Reads a template's resources by their supported properties, and refuses any other property by name. */
import type * as z from 'zod';
import { StartError } from '../start-error.ts';
import * as shapes from './resource-shapes.ts';
import type { Template, TemplateResource } from './template.ts';

const SHAPES = {
  'AWS::ApiGateway::RestApi': shapes.restApi,
  'AWS::ApiGateway::Stage': shapes.stage,
  'AWS::ApiGateway::Resource': shapes.resource,
  'AWS::ApiGateway::Method': shapes.method,
  'AWS::ApiGateway::Authorizer': shapes.authorizer,
  'AWS::ApiGateway::GatewayResponse': shapes.gatewayResponse,
  'AWS::ApiGateway::UsagePlan': shapes.usagePlan,
  'AWS::Lambda::Function': shapes.lambdaFunction,
  'AWS::Lambda::EventInvokeConfig': shapes.eventInvokeConfig,
  'AWS::Scheduler::Schedule': shapes.schedule,
  'AWS::DynamoDB::Table': shapes.table,
  'AWS::DynamoDB::GlobalTable': shapes.globalTable,
  'AWS::Events::Rule': shapes.eventRule,
} as const;

export type HandledType = keyof typeof SHAPES;

export type Understood<T extends HandledType> = TemplateResource & {
  readonly is: z.output<(typeof SHAPES)[T]>;
};

/** Resources of a type by their shape; throws `StartError` naming the first unsupported property. */
export function supportedResources<T extends HandledType>(
  template: Template,
  type: T,
  wanted?: (name: string) => boolean,
): Understood<T>[] {
  const shape: z.ZodType = SHAPES[type];
  return template.resources(type, wanted).map((found) => {
    const result = shape.safeParse(found.properties);
    if (result.success) return { ...found, is: result.data as Understood<T>['is'] };
    const [issue] = result.error.issues;
    const inner = issue?.code === 'unrecognized_keys' ? [issue.keys[0]] : [];
    const property = [...(issue?.path ?? []), ...inner].join('.');
    throw new StartError(
      `${found.stack}/${found.id} (${type}): property ${property} is not supported: ${issue?.message}`,
    );
  });
}

/** Throws `StartError` when the template has a resource of an unsupported type. */
export function refuseUnknownTypes(template: Template): void {
  for (const { place, type } of template.types()) {
    if (type in SHAPES || shapes.IGNORED_TYPES.some((ignored) => ignored.test(type))) continue;
    throw new StartError(`${place}: resources of type ${type} are not supported`);
  }
}
