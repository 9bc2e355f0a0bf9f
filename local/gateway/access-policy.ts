/** Evaluates the policy that an authorizer returns, in the form that API Gateway accepts. */
import * as z from 'zod';

const oneOrMore = z.union([z.string().transform((text) => [text]), z.array(z.string()).min(1)]);

/** Conditions and Not-forms are rejected: a policy that is only partly understood could admit too much. */
const policyDocument = z.strictObject({
  Version: z.string().optional(),
  Id: z.string().optional(),
  Statement: z
    .array(
      z.strictObject({
        Sid: z.string().optional(),
        Effect: z.enum(['Allow', 'Deny']),
        Action: oneOrMore,
        Resource: oneOrMore,
      }),
    )
    .min(1),
});

/** What an authorizer must return; context values are strings, numbers or booleans, passed on as strings. */
const authorizerResult = z.object({
  principalId: z.string(),
  policyDocument,
  context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).optional(),
  usageIdentifierKey: z.string().optional(),
});

export interface Grant {
  /** Whether the policy allows the request with this method ARN. */
  readonly allows: (methodArn: string) => boolean;
  /** The authorizer's context with the principal, as the event and gateway responses show it. */
  readonly context: Readonly<Record<string, string>>;
  readonly usageIdentifierKey: string | undefined;
}

/** `*` is any text and `?` any character. */
function wildcard(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
}

const ACTION = 'execute-api:Invoke';

/** Undefined when the result is not in the form that API Gateway accepts. */
export function readGrant(result: unknown): Grant | undefined {
  const parsed = authorizerResult.safeParse(result);
  if (!parsed.success) return undefined;
  const { principalId, policyDocument: policy, context, usageIdentifierKey } = parsed.data;
  const statements = policy.Statement.filter((statement) =>
    statement.Action.some((action) => wildcard(action).test(ACTION)),
  ).map(({ Effect, Resource }) => ({ Effect, resources: Resource.map(wildcard) }));
  const has = (effect: 'Allow' | 'Deny', methodArn: string): boolean =>
    statements.some(
      ({ Effect, resources }) => Effect === effect && resources.some((resource) => resource.test(methodArn)),
    );
  return {
    allows: (methodArn) => !has('Deny', methodArn) && has('Allow', methodArn),
    context: { principalId, ...context },
    usageIdentifierKey,
  };
}
