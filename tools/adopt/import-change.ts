/** A change set that imports into a stack the resources that its deletion left behind. */
import * as z from 'zod';

const template = z.object({
  Resources: z.record(
    z.string(),
    z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
});

/** The answer of `aws cloudformation list-stack-resources`. */
const listing = z.object({
  StackResourceSummaries: z.array(
    z.object({
      LogicalResourceId: z.string(),
      PhysicalResourceId: z.string().optional(),
      ResourceType: z.string(),
      ResourceStatus: z.string(),
    }),
  ),
});

/**
 * The properties that identify a resource, the last one being its physical id. A deployment of the API is not imported: the stack makes
 * a new one, because the old one calls functions that are gone.
 */
const IDENTIFIERS: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::RestApi': ['RestApiId'],
  'AWS::ApiGateway::Stage': ['RestApiId', 'StageName'],
  'AWS::ApiGateway::UsagePlan': ['Id'],
  'AWS::DynamoDB::Table': ['TableName'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::SNS::Topic': ['TopicArn'],
};

/** Whether the template can state `value` when it has the resources `imported` and no other. */
function isStated(value: unknown, imported: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.every((item) => isStated(item, imported));
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => {
    if (key === 'Ref') return imported.has(inner) || String(inner).startsWith('AWS::');
    if (key === 'Fn::GetAtt') return Array.isArray(inner) && imported.has(inner[0]);
    return key !== 'Fn::GetStackOutput' && isStated(inner, imported);
  });
}

/**
 * The change for what CloudFormation lists as left behind. An import compares no properties, so one that refers to what the stack
 * lacks is left out; the next deployment sets it. `cdk import` leaves such references in the template, and CloudFormation refuses them.
 */
export function importChange(synthesized: unknown, left: unknown) {
  const { Resources } = template.parse(synthesized);
  const skipped = listing
    .parse(left)
    .StackResourceSummaries.filter(({ ResourceStatus }) => ResourceStatus === 'DELETE_SKIPPED');
  const kept = skipped.flatMap(
    ({ LogicalResourceId: id, PhysicalResourceId: physicalId = '', ResourceType }) => {
      const resource = Resources[id];
      const keys = IDENTIFIERS[ResourceType];
      return resource?.Type === ResourceType && keys !== undefined
        ? [{ id, physicalId, resource, keys }]
        : [];
    },
  );
  if (kept.length === 0)
    throw new Error('the listing has nothing that was left behind and that the template needs');
  const physicalIds = new Map(kept.map(({ id, physicalId }) => [id, physicalId]));
  const imported = new Set(physicalIds.keys());

  /** The physical id of the resource that a property refers to, else of the resource that has it. */
  const identifierValue = (id: string, value: unknown): string => {
    const isReference = typeof value === 'object' && value !== null && 'Ref' in value;
    return physicalIds.get(isReference ? String(value.Ref) : id) ?? '';
  };
  const resources = kept.map(({ id, physicalId, resource: { Type, Properties }, keys }) => ({
    ResourceType: Type,
    LogicalResourceId: id,
    ResourceIdentifier: Object.fromEntries(
      keys.map((key, index) => [
        key,
        index === keys.length - 1 ? physicalId : identifierValue(id, Properties[key]),
      ]),
    ),
  }));
  const stated = kept.map(({ id, resource: { Type, Properties } }) => {
    const known = Object.entries(Properties).filter(([, value]) => isStated(value, imported));
    const policies = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
    return [id, { Type, ...policies, Properties: Object.fromEntries(known) }];
  });
  return {
    template: { Resources: Object.fromEntries(stated) },
    resources,
    /** Logical ids and types of the resources that are not imported. */
    leftOut: skipped
      .filter(({ LogicalResourceId }) => !imported.has(LogicalResourceId))
      .map(({ LogicalResourceId, ResourceType }) => `${LogicalResourceId} (${ResourceType})`),
  };
}
