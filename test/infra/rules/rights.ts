/** Rules for rights: nothing that is not needed, and nothing on everything. */
import { TABLES } from '../../../core/store/tables.ts';
import {
  at,
  type JsonObject,
  listAt,
  objectAt,
  ofType,
  type Resource,
  refersTo,
} from '../../builders/stacks.ts';
import { type Rule, unless } from './rule.ts';

/** Actions for which AWS knows no resource, by their service authorization reference. */
const WITHOUT_RESOURCE =
  /^(xray:(Put(TraceSegments|TelemetryRecords)|GetSampling(Rules|Targets))|s3:ListAllMyBuckets|cloudwatch:PutMetricData|logs:((Create|Get|Update|Delete)LogDelivery|ListLogDeliveries|(Put|Describe)ResourcePolic(y|ies)|DescribeLogGroups))$/;
const WRITES = /^dynamodb:(Put|Update|Delete|BatchWrite)/;

interface Grant {
  readonly holder: Resource;
  readonly statement: JsonObject;
  readonly actions: readonly string[];
}

/** Every statement of an IAM role or policy that allows something. */
const grantsIn = (resources: readonly Resource[]): Grant[] =>
  ofType(resources, 'AWS::IAM::Role', 'AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy').flatMap((holder) =>
    [
      ...listAt(holder.properties.PolicyDocument, 'Statement'),
      ...listAt(holder.properties.Policies).flatMap((policy) =>
        listAt(policy, 'PolicyDocument', 'Statement'),
      ),
    ]
      .map((statement) => objectAt(statement))
      .filter(({ Effect }) => Effect === 'Allow')
      .map((statement) => ({ holder, statement, actions: listAt(statement.Action).map(String) })),
  );

const grantsOf = (resources: readonly Resource[], { properties }: Resource): Grant[] => {
  const role = String(at(properties.Role, 'Fn::GetAtt', 0));
  return grantsIn(resources).filter(
    ({ holder }) => holder.id === role || refersTo(holder.properties.Roles, role),
  );
};

const variablesOf = ({ properties }: Resource): JsonObject => objectAt(properties.Environment, 'Variables');
/** The table whose ARN or name `reference` reads from the outputs of the data stack. */
const tableOf = (reference: unknown): string | undefined =>
  /PublishOutput(?:Ref|FnGetAtt)([A-Za-z]+?Table)/.exec(JSON.stringify(reference))?.[1];

export const rightRules = {
  'no right is for every action of a kind': (resources) =>
    grantsIn(resources)
      .filter(({ actions }) => actions.some((action) => action.includes('*')))
      .map(({ holder: { stack, id } }) => `${stack}/${id}: an action with a wildcard`),

  'a right on everything is for actions that know no resource': (resources) =>
    grantsIn(resources)
      .filter(({ statement }) => listAt(statement.Resource).includes('*'))
      .flatMap(({ holder: { stack, id }, actions }) =>
        actions
          .filter((action) => !WITHOUT_RESOURCE.test(action))
          .map((action) => `${stack}/${id}: ${action} on everything`),
      ),

  'no role has a policy of AWS or a user': (resources) => [
    ...unless(
      ofType(resources, 'AWS::IAM::Role'),
      'a managed policy',
      ({ properties }) => properties.ManagedPolicyArns === undefined,
    ),
    ...ofType(resources, 'AWS::IAM::User').map(({ stack, id }) => `${stack}/${id}: a user`),
  ],

  'a function has rights on exactly the tables that it knows by name': (resources) =>
    ofType(resources, 'AWS::Lambda::Function').flatMap((one) => {
      const named = Object.values(TABLES)
        .map(({ variable }) => tableOf(variablesOf(one)[variable]))
        .filter((table) => table !== undefined);
      const granted = grantsOf(resources, one)
        .filter(({ actions }) => actions.some((action) => action.startsWith('dynamodb:')))
        .flatMap(({ statement }) =>
          listAt(statement.Resource).map((table) => tableOf(table) ?? 'everything'),
        );
      const differ = [...new Set([...named, ...granted])].filter(
        (table) => !named.includes(table) || !granted.includes(table),
      );
      return differ.map((table) => `${one.stack}/${one.id}: ${table} by name or by right only`);
    }),

  'functions behind the API write to no table but the buckets of the limiter': (resources) =>
    ofType(resources, 'AWS::Lambda::Function')
      // The key reconciliation is in the stack of the API because it needs its id; no request reaches it.
      .filter(({ stack, id }) => stack === 'api' && !id.startsWith('KeyReconciliation'))
      .flatMap((one) =>
        grantsOf(resources, one)
          .filter(({ actions }) => actions.some((action) => WRITES.test(action)))
          .filter(
            ({ actions, statement }) =>
              actions.some((action) => WRITES.test(action) && action !== 'dynamodb:UpdateItem') ||
              listAt(statement.Resource).some(
                (table) => tableOf(table) !== tableOf(variablesOf(one)[TABLES.rateLimits.variable]),
              ),
          )
          .map(({ actions }) => `${one.stack}/${one.id}: ${actions.join(', ')}`),
      ),
} satisfies Record<string, Rule>;
