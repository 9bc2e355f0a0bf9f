/** Reads the whole service from a synthesized cloud assembly; anything unsupported stops the start. */
import { readApi, readGatewayResponses, readPlans, readRoutes } from './api-model.ts';
import { readFunctions, readSchedules } from './function-model.ts';
import type { ServiceModel, TableModel } from './model.ts';
import { refuseUnknownTypes, supportedResources } from './supported.ts';
import { Template } from './template.ts';

function readTables(template: Template): TableModel[] {
  const tables = [
    ...supportedResources(template, 'AWS::DynamoDB::Table'),
    ...supportedResources(template, 'AWS::DynamoDB::GlobalTable'),
  ];
  return tables.map(({ name, is: { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } }) => ({
    name,
    AttributeDefinitions,
    KeySchema,
    GlobalSecondaryIndexes,
  }));
}

/** Throws `StartError` naming the unsupported resource and property. */
export function readServiceModel(directory: string): ServiceModel {
  const template = Template.load(directory);
  refuseUnknownTypes(template);
  supportedResources(template, 'AWS::Events::Rule');
  const { apiId, stage } = readApi(template);
  const routes = readRoutes(template, apiId);
  const schedules = readSchedules(template);
  const called = new Set([
    ...routes.flatMap(({ functionArn, authorizer }) => [
      functionArn,
      ...(authorizer ? [authorizer.functionArn] : []),
    ]),
    ...schedules.map(({ functionArn }) => functionArn),
  ]);
  return {
    apiId,
    stage,
    routes,
    gatewayResponses: readGatewayResponses(template),
    plans: readPlans(template),
    functions: readFunctions(template, called),
    tables: readTables(template),
    schedules,
  };
}
