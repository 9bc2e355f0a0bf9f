/** The portal's stack: what it lets through, what it adds, and what it does with a path without a file. */
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { errorEnvelope } from '../../core/contracts/errors.ts';
import { GATEWAY_ERRORS } from '../../core/http/gateway-errors.ts';
import { portalPathsCode, VIEWER_CODE } from '../../lib/constructs/portal.ts';
import { SECURITY_HEADERS } from '../../portal/served-headers.ts';
import { PORTAL_FILES } from '../builders/placeholder-builds.ts';
import {
  at,
  LEAST_SETTINGS,
  listAt,
  objectAt,
  type Resource,
  sharedStacks,
  withType,
} from '../builders/stacks.ts';

const configurationIn = (resources: readonly Resource[]) =>
  objectAt(withType(resources, 'AWS::CloudFront::Distribution')[0]?.properties.DistributionConfig);

/** Policies that CloudFront has for everyone, by the ids that its developer guide states. */
const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const ALL_VIEWER_EXCEPT_HOST_HEADER = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';
const CORS_S3_ORIGIN = '88a5eaf4-2fd4-4709-b370-b4c650ea3fcf';

const { resources } = sharedStacks('prod');

describe("the portal's stack", () => {
  const configuration = configurationIn(resources);

  it('lets only its own distribution read the files', () => {
    const policies = JSON.stringify(
      withType(resources, 'AWS::S3::BucketPolicy').filter(({ stack }) => stack === 'portal'),
    );
    expect(policies).toContain('"Service":"cloudfront.amazonaws.com"');
    expect(policies).toContain('AWS:SourceArn');
    expect(policies).not.toMatch(/"Effect":"Allow"[^}]*"Principal":(?:"\*"|{"AWS":"\*"})/);
    expect(withType(resources, 'AWS::CloudFront::OriginAccessControl')).toHaveLength(2);
  });

  it('passes /v1/* to the stage of the API: nothing cached, all headers but Host, no plain HTTP', () => {
    const [behavior] = listAt(configuration.CacheBehaviors).filter(
      (one) => at(one, 'PathPattern') === '/v1/*',
    );
    expect(behavior).toMatchObject({
      CachePolicyId: CACHING_DISABLED,
      OriginRequestPolicyId: ALL_VIEWER_EXCEPT_HOST_HEADER,
      ViewerProtocolPolicy: 'https-only',
      Compress: false,
      AllowedMethods: expect.arrayContaining(['POST']),
      FunctionAssociations: [{ EventType: 'viewer-request' }],
    });
    expect(behavior).not.toHaveProperty('ResponseHeadersPolicyId');
    expect(listAt(configuration.Origins)).toContainEqual(
      expect.objectContaining({
        OriginPath: '/prod',
        DomainName: { 'Fn::GetStackOutput': { StackName: 'pcd-prod-api', OutputName: 'ApiHost' } },
        CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
      }),
    );
  });

  it('keeps no status that CloudFront would keep for ten seconds, for every query and key, against no-store', () => {
    // Those that it always caches, by its developer guide.
    expect(configuration.CustomErrorResponses).toEqual(
      [404, 405, 414, 500, 501, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
    );
  });

  it('lets pages of other origins read the dataset with ranges, preflight included', () => {
    const [behavior] = listAt(configuration.CacheBehaviors).filter(
      (one) => at(one, 'PathPattern') === '/data/*',
    );
    const policies = withType(resources, 'AWS::CloudFront::ResponseHeadersPolicy');
    const policy = policies.find(({ id }) => at(at(behavior, 'ResponseHeadersPolicyId'), 'Ref') === id);
    const exposed = ['Accept-Ranges', 'Content-Length', 'Content-Range', 'ETag'];
    expect(behavior).toMatchObject({
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS'],
      OriginRequestPolicyId: CORS_S3_ORIGIN,
    });
    expect(policy?.properties.ResponseHeadersPolicyConfig).toMatchObject({
      CorsConfig: {
        AccessControlAllowOrigins: { Items: ['*'] },
        AccessControlAllowMethods: { Items: ['GET', 'HEAD', 'OPTIONS'] },
        AccessControlExposeHeaders: { Items: exposed },
        OriginOverride: true,
      },
    });
    const bucket = withType(resources, 'AWS::S3::Bucket').find(({ id }) => id === 'Releases');
    expect(bucket?.properties.CorsConfiguration).toMatchObject({
      CorsRules: [{ AllowedOrigins: ['*'], AllowedMethods: ['GET', 'HEAD'], ExposedHeaders: exposed }],
    });
  });

  it('adds the headers of the one list to the files', () => {
    const {
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': sniffing,
      'X-Frame-Options': frames,
      'Referrer-Policy': referrer,
      ...others
    } = SECURITY_HEADERS;
    expect(sniffing).toBe('nosniff');
    const added = withType(resources, 'AWS::CloudFront::ResponseHeadersPolicy').find(({ id }) =>
      id.includes('SecurityHeaders'),
    );
    expect(added?.properties.ResponseHeadersPolicyConfig).toMatchObject({
      SecurityHeadersConfig: {
        ContentSecurityPolicy: { ContentSecurityPolicy: policy, Override: true },
        ContentTypeOptions: { Override: true },
        FrameOptions: { FrameOption: frames, Override: true },
        ReferrerPolicy: { ReferrerPolicy: referrer, Override: true },
        StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000 },
      },
      CustomHeadersConfig: {
        Items: Object.entries(others).map(([Header, Value]) => ({ Header, Value, Override: true })),
      },
    });
    const ResponseHeadersPolicyId = { Ref: added?.id };
    expect(configuration.DefaultCacheBehavior).toMatchObject({ ResponseHeadersPolicyId, Compress: true });
  });
});

it('the log of the distribution is left out where CloudFront refuses the bucket: in regions that accounts must opt in to', () => {
  expect(configurationIn(resources).Logging).toMatchObject({ Prefix: 'distribution/' });
  const optedIn = sharedStacks('dev', LEAST_SETTINGS);
  expect(configurationIn(optedIn.resources).Logging).toBeUndefined();
});

type Headers = Readonly<Record<string, string>>;

interface OfHeader {
  readonly FieldToMatch: { readonly SingleHeader: { readonly Name: string } };
}

interface Statement {
  readonly NotStatement?: { readonly Statement: Statement };
  readonly AndStatement?: { readonly Statements: readonly Statement[] };
  readonly ByteMatchStatement?: OfHeader & { PositionalConstraint: string; SearchString: object };
  readonly SizeConstraintStatement?: OfHeader & { ComparisonOperator: string; Size: number };
}

interface RateRule {
  readonly Statement: {
    readonly RateBasedStatement: {
      readonly AggregateKeyType: string;
      readonly CustomKeys?: readonly { readonly Header: { readonly Name: string } }[];
      readonly ScopeDownStatement: Statement;
    };
  };
}

/**
 * What AWS WAF documents of the statements that the rules use: a match or a size sees a missing header as an empty one.
 * `mark` stands for the value that CloudFormation fills in.
 */
function holds(statement: Statement, headers: Headers, mark: string): boolean {
  const { NotStatement, AndStatement, ByteMatchStatement: match, SizeConstraintStatement: size } = statement;
  const headerOf = ({ FieldToMatch }: OfHeader): string => headers[FieldToMatch.SingleHeader.Name] ?? '';
  if (NotStatement) return !holds(NotStatement.Statement, headers, mark);
  if (AndStatement) return AndStatement.Statements.every((part) => holds(part, headers, mark));
  if (match) return match.PositionalConstraint === 'EXACTLY' && headerOf(match) === mark;
  if (size) return size.ComparisonOperator === 'GT' && headerOf(size).length > size.Size;
  throw new Error(`another statement: ${JSON.stringify(statement)}`);
}

/** The addresses under which the rules count a request with `headers`; a rule by a header skips a request without it. */
const countedBy = (rules: readonly RateRule[], headers: Headers, mark: string): string[] =>
  rules
    .map(({ Statement: { RateBasedStatement } }) => RateBasedStatement)
    .filter(({ ScopeDownStatement }) => holds(ScopeDownStatement, headers, mark))
    .flatMap(({ AggregateKeyType, CustomKeys = [] }) =>
      AggregateKeyType === 'IP'
        ? ['own address']
        : CustomKeys.flatMap(({ Header }) => headers[Header.Name] ?? []),
    );

describe('the firewall behind the portal', () => {
  const settings = (stage: 'dev' | 'prod') => {
    const { resources, outdir } = sharedStacks(stage);
    const [acl] = withType(resources, 'AWS::WAFv2::WebACL');
    const api = JSON.parse(readFileSync(`${outdir}/pcd-${stage}-api.template.json`, 'utf8'));
    return {
      rules: (acl?.properties.Rules ?? []) as unknown as readonly RateRule[],
      headers: listAt(configurationIn(resources).Origins).flatMap((origin) =>
        listAt(origin, 'OriginCustomHeaders'),
      ),
      outputs: api.Outputs,
    };
  };

  const withFirewall = settings('prod');

  it('blocks an address above 3,000 requests in five minutes', () => {
    const blocking = (AggregateKeyType: string) => ({
      Action: { Block: {} },
      Statement: { RateBasedStatement: { Limit: 3000, AggregateKeyType } },
    });
    expect(withFirewall.rules).toMatchObject([blocking('IP'), blocking('CUSTOM_KEYS')]);
  });

  it('marks requests by the random part of the id of the stack, which both stacks know', () => {
    const { rules, headers, outputs } = withFirewall;
    const marks = rules.flatMap(({ Statement: { RateBasedStatement } }) => {
      const { NotStatement, AndStatement } = RateBasedStatement.ScopeDownStatement;
      const { Statements = [] } = AndStatement ?? NotStatement?.Statement.AndStatement ?? {};
      return Statements.flatMap(({ ByteMatchStatement }) => ByteMatchStatement?.SearchString ?? []);
    });
    const mark = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };
    expect(marks).toEqual([mark, mark]);
    expect(outputs.PortalMark.Value).toEqual(mark);
    expect(headers).toEqual([
      {
        HeaderName: 'x-portal-mark',
        HeaderValue: { 'Fn::GetStackOutput': { StackName: 'pcd-prod-api', OutputName: 'PortalMark' } },
      },
    ]);
  });

  const MARK = '0f8e51d0-0000-11f0-8000-0a0000000000';
  const VIEWER = '198.51.100.7';
  it.each([
    ['through the portal', { 'x-portal-mark': MARK, 'x-viewer-address': VIEWER }, VIEWER],
    ['without headers', {}, 'own address'],
    ['with the address of somebody else', { 'x-viewer-address': VIEWER }, 'own address'],
    ['with a wrong mark', { 'x-portal-mark': 'guess', 'x-viewer-address': VIEWER }, 'own address'],
    ['with an empty mark', { 'x-portal-mark': '', 'x-viewer-address': VIEWER }, 'own address'],
    ['with the mark and no viewer', { 'x-portal-mark': MARK }, 'own address'],
    ['with an empty viewer', { 'x-portal-mark': MARK, 'x-viewer-address': '' }, 'own address'],
  ])('counts a request %s once, by the right address', (_what, headers, address) => {
    expect(countedBy(withFirewall.rules, headers, MARK)).toEqual([address]);
  });

  it('gets no mark where there is no firewall', () => {
    const { rules, headers, outputs } = settings('dev');
    expect([rules, headers, outputs.PortalMark]).toEqual([[], [], undefined]);
  });

  it('reads the address of the caller and the host from CloudFront, never from a header of the caller', () => {
    const event = {
      viewer: { ip: '198.51.100.7' },
      request: {
        headers: {
          host: { value: 'data.example' },
          'x-viewer-address': { value: '203.0.113.1' },
          'x-viewer-host': { value: 'other.example' },
        },
      },
    };
    const request = runInNewContext(`${VIEWER_CODE}; handler(event)`, { event });
    expect(request.headers['x-viewer-address']).toEqual({ value: '198.51.100.7' });
    expect(request.headers['x-viewer-host']).toEqual({ value: 'data.example' });
  });
});

describe('the function on paths', () => {
  const code = portalPathsCode(
    PORTAL_FILES.map((path) => `/${path}`),
    '<!doctype html><p>Page not found</p>',
  );
  const ask = (uri: string, method = 'GET', accept?: string) => {
    const headers = accept === undefined ? {} : { accept: { value: accept } };
    const request = { uri, method, headers };
    const {
      statusCode,
      headers: sent = {},
      body,
      ...passed
    } = runInNewContext(`${code}; handler({ request })`, { request });
    return { statusCode, body, uri: passed.uri, sent: (name: string) => sent[name]?.value };
  };

  it('sends a page to a browser that requests a page that does not exist', () => {
    const { statusCode, sent, body } = ask('/docs/no-such-page.html', 'GET', 'text/html,*/*;q=0.8');
    expect(statusCode).toBe(404);
    expect(sent('content-type')).toBe('text/html; charset=utf-8');
    expect(sent('content-security-policy')).toBe(SECURITY_HEADERS['Content-Security-Policy']);
    expect(body).toContain('Page not found');
    for (const [path, method] of [
      ['/v1', 'GET'],
      ['/v2/health', 'GET'],
      ['/docs/no-such-page.html', 'POST'],
    ] as const)
      expect(ask(path, method, 'text/html').sent('content-type')).toBe('application/json');
  });

  it.each([
    ['/', '/index.html'],
    ['/index.html', '/index.html'],
    ['/docs/', '/docs/index.html'],
    ['/assets/main-of-an-older-build.js', '/assets/main-of-an-older-build.js'],
  ])('asks the bucket for %s as %s', (path, key) => {
    expect(ask(path).uri).toBe(key);
    expect(ask(path, 'HEAD').uri).toBe(key);
  });

  it('sends a folder without its slash on to it', () => {
    const { statusCode, sent } = ask('/docs');
    expect([statusCode, sent('location')]).toEqual([301, '/docs/']);
    expect(ask('/docs', 'POST').statusCode).toBe(404);
  });

  it.each(['/health', '/docs2', '/assets', '/secret.txt', '/docs/other.html', '/v2/health', '/index.html/'])(
    'responds to %s as the API would',
    (path) => {
      const { statusCode, sent, body } = ask(path);
      expect(statusCode).toBe(404);
      const envelope = errorEnvelope.parse(JSON.parse(body));
      expect(envelope.message).toBe(GATEWAY_ERRORS.MISSING_AUTHENTICATION_TOKEN.message);
      expect(sent('x-request-id')).toBe(envelope.request_id);
      expect(sent('cache-control')).toBe('no-store');
      expect(sent('content-type')).toBe('application/json');
    },
  );

  it('lets no other method than GET and HEAD through, and makes a new id for each request', () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect(ask('/', method).statusCode).toBe(404);
    expect(ask('/health').body).not.toBe(ask('/health').body);
  });
});
