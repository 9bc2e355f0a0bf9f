/** The portal's stack: what it lets through, what it adds, and what it does with paths that are no file. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { CachePolicy, OriginRequestPolicy } from 'aws-cdk-lib/aws-cloudfront';
import { createApp } from '../../bin/cdk.ts';
import { errorEnvelope } from '../../core/contracts/errors.ts';
import { GATEWAY_ERRORS } from '../../core/contracts/gateway-errors.ts';
import { portalPathsCode, viewerAddressCode } from '../../lib/constructs/portal-paths.ts';
import type { StageName } from '../../lib/stage-config.ts';
import { SECURITY_HEADERS } from '../../portal/served-headers.ts';
import { PORTAL_FILES, placeholderHandlers, placeholderPortal } from '../builders/placeholder-builds.ts';
import { placeOf } from '../builders/stacks.ts';

const handlersDir = placeholderHandlers();
const MOST_FUNCTION_BYTES = 10_240;

const made = (stage: StageName, portalDir?: string, context: Record<string, unknown> = {}) =>
  createApp({
    outdir: mkdtempSync(join(tmpdir(), 'portal-app-')),
    stage,
    handlersDir,
    context: { ...placeOf(stage), ...context },
    ...(portalDir === undefined ? {} : { portalDir }),
  });

describe('the application', () => {
  it('has a portal where one is given, and none without', () => {
    expect(made('dev').application.portal).toBeUndefined();
    expect(made('dev', placeholderPortal()).application.portal).toBeDefined();
    expect(made('dev', placeholderPortal(), { portal: 'false' }).application.portal).toBeUndefined();
  });

  it('says what to do when the portal is not built', () => {
    expect(() => made('dev', join(tmpdir(), 'not-there'))).toThrow('npm run build:portal');
  });
});

describe("the portal's stack", () => {
  let template: Template;
  beforeAll(() => {
    const { portal } = made('prod', placeholderPortal()).application;
    if (!portal) throw new Error('there is no portal');
    template = Template.fromStack(portal);
  });
  const configuration = (part: object) =>
    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike(part),
    });

  it('keeps its buckets private, encrypted and, in production, for good', () => {
    const buckets = Object.values(template.findResources('AWS::S3::Bucket'));
    expect(buckets.length).toBe(2);
    for (const { Properties, DeletionPolicy } of buckets) {
      expect(Object.values(Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
      expect(Properties.BucketEncryption).toBeDefined();
      expect(DeletionPolicy).toBe('RetainExceptOnCreate');
    }
  });

  it('lets only its own distribution read the files', () => {
    const policies = JSON.stringify(template.findResources('AWS::S3::BucketPolicy'));
    expect(policies).toContain('"Service":"cloudfront.amazonaws.com"');
    expect(policies).toContain('AWS:SourceArn');
    expect(policies).not.toMatch(/"Effect":"Allow"[^}]*"Principal":(?:"\*"|{"AWS":"\*"})/);
    template.resourceCountIs('AWS::CloudFront::OriginAccessControl', 1);
  });

  it('passes /v1/* to the stage of the API: nothing kept, all headers but Host, no plain HTTP', () => {
    configuration({
      CacheBehaviors: [
        Match.objectLike({
          PathPattern: '/v1/*',
          CachePolicyId: CachePolicy.CACHING_DISABLED.cachePolicyId,
          OriginRequestPolicyId: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER.originRequestPolicyId,
          ViewerProtocolPolicy: 'https-only',
          Compress: false,
          AllowedMethods: Match.arrayWith(['POST']),
          ResponseHeadersPolicyId: Match.absent(),
          FunctionAssociations: [Match.objectLike({ EventType: 'viewer-request' })],
        }),
      ],
      Origins: Match.arrayWith([Match.objectLike({ OriginPath: '/prod' })]),
      Logging: Match.anyValue(),
    });
  });

  it('keeps no failure either: CloudFront would, for ten seconds, for every key and against no-store', () => {
    configuration({
      CustomErrorResponses: [500, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
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
    template.hasResourceProperties('AWS::CloudFront::ResponseHeadersPolicy', {
      ResponseHeadersPolicyConfig: {
        SecurityHeadersConfig: {
          ContentSecurityPolicy: { ContentSecurityPolicy: policy, Override: true },
          ContentTypeOptions: { Override: true },
          FrameOptions: { FrameOption: frames, Override: true },
          ReferrerPolicy: { ReferrerPolicy: referrer, Override: true },
          StrictTransportSecurity: Match.objectLike({ AccessControlMaxAgeSec: 31_536_000 }),
        },
        CustomHeadersConfig: {
          Items: Object.entries(others).map(([Header, Value]) => ({ Header, Value, Override: true })),
        },
      },
    });
    configuration({
      DefaultCacheBehavior: Match.objectLike({ ResponseHeadersPolicyId: Match.anyValue(), Compress: true }),
    });
  });
});

describe('the log of the distribution', () => {
  const loggingIn = (region: string) => {
    const { portal } = made('dev', placeholderPortal(), { account: '111122223333', region }).application;
    if (!portal) throw new Error('there is no portal');
    const [distribution] = Object.values(
      Template.fromStack(portal).findResources('AWS::CloudFront::Distribution'),
    );
    return distribution?.Properties.DistributionConfig.Logging;
  };

  it('is left out where CloudFront refuses the bucket: in regions that accounts must opt in to', () => {
    expect(loggingIn('eu-north-1')).toMatchObject({ Prefix: 'distribution/' });
    expect(loggingIn('ap-east-1')).toBeUndefined();
  });
});

describe('the firewall behind the portal', () => {
  const settings = (context: Record<string, unknown>) => {
    const { api, portal } = made('dev', placeholderPortal(), context).application;
    if (!portal) throw new Error('there is no portal');
    const [acl] = Object.values(Template.fromStack(api).findResources('AWS::WAFv2::WebACL'));
    const [distribution] = Object.values(
      Template.fromStack(portal).findResources('AWS::CloudFront::Distribution'),
    );
    const origins: readonly { OriginCustomHeaders?: readonly { HeaderName: string }[] }[] =
      distribution?.Properties.DistributionConfig.Origins;
    return { rules: acl?.Properties.Rules, headers: origins.flatMap((one) => one.OriginCustomHeaders ?? []) };
  };

  it("counts a request through the portal by its caller's address, and any other by the address it comes from", () => {
    const { rules, headers } = settings({});
    const mark = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };
    const [direct, viewer] = rules.map(
      (rule: { Statement: { RateBasedStatement: object } }) => rule.Statement.RateBasedStatement,
    );
    expect(rules).toHaveLength(2);
    expect(direct).toMatchObject({
      AggregateKeyType: 'IP',
      ScopeDownStatement: { NotStatement: { Statement: viewer.ScopeDownStatement } },
    });
    expect(viewer).toMatchObject({
      AggregateKeyType: 'CUSTOM_KEYS',
      CustomKeys: [{ Header: { Name: 'x-viewer-address' } }],
      ScopeDownStatement: {
        ByteMatchStatement: {
          FieldToMatch: { SingleHeader: { Name: 'x-portal-mark' } },
          PositionalConstraint: 'EXACTLY',
          SearchString: mark,
        },
      },
    });
    expect(headers).toEqual([expect.objectContaining({ HeaderName: 'x-portal-mark' })]);
  });

  it('gets no mark where there is no firewall', () => {
    expect(settings({ waf: 'false' })).toEqual({ rules: undefined, headers: [] });
  });

  it('hears the address of the caller from CloudFront, never from the caller', () => {
    const event = {
      viewer: { ip: '198.51.100.7' },
      request: { headers: { 'x-viewer-address': { value: '203.0.113.1' } } },
    };
    const request = runInNewContext(`${viewerAddressCode('x-viewer-address')}; handler(event)`, { event });
    expect(request.headers['x-viewer-address']).toEqual({ value: '198.51.100.7' });
  });
});

describe('the custom headers', () => {
  let names: readonly string[];
  beforeAll(() => {
    const { portal } = made('dev', placeholderPortal()).application;
    if (!portal) throw new Error('there is no portal');
    const [policy] = Object.values(
      Template.fromStack(portal).findResources('AWS::CloudFront::ResponseHeadersPolicy'),
    );
    const { Items } = policy?.Properties.ResponseHeadersPolicyConfig.CustomHeadersConfig ?? {};
    names = Items.map(({ Header }: { Header: string }) => Header);
  });

  // Such a header among the custom ones passes every synthesis and is refused by CloudFront at deployment.
  it.each([
    'Content-Security-Policy',
    'Referrer-Policy',
    'Strict-Transport-Security',
    'X-Content-Type-Options',
    'X-Frame-Options',
    'X-XSS-Protection',
  ])('are without %s, for which CloudFront has a setting of its own', (header) => {
    expect(names.length).toBeGreaterThan(0);
    expect(names).not.toContain(header);
  });
});

interface Answer {
  readonly uri?: string;
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, { readonly value: string }>>;
  readonly body?: string;
}

describe('the function on paths', () => {
  const code = portalPathsCode(
    PORTAL_FILES.map((path) => `/${path}`),
    '<!doctype html><p>Page not found</p>',
  );
  const ask = (uri: string, method = 'GET', accept?: string): Answer => {
    const headers = accept === undefined ? {} : { accept: { value: accept } };
    return runInNewContext(`${code}; handler({ request: { uri, method, headers } })`, {
      uri,
      method,
      headers,
    });
  };

  it('answers a browser that asks for a page that does not exist with a page', () => {
    const { statusCode, headers, body } = ask('/docs/no-such-page.html', 'GET', 'text/html,*/*;q=0.8');
    expect(statusCode).toBe(404);
    expect(headers?.['content-type']?.value).toBe('text/html; charset=utf-8');
    expect(headers?.['content-security-policy']?.value).toBe(SECURITY_HEADERS['Content-Security-Policy']);
    expect(body).toContain('Page not found');
    expect(ask('/v1', 'GET', 'text/html').headers?.['content-type']?.value).toBe('application/json');
    expect(ask('/docs/no-such-page.html', 'POST', 'text/html').headers?.['content-type']?.value).toBe(
      'application/json',
    );
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
    const { statusCode, headers } = ask('/docs');
    expect([statusCode, headers?.location?.value]).toEqual([301, '/docs/']);
    expect(ask('/docs', 'POST').statusCode).toBe(404);
  });

  it.each(['/health', '/docs2', '/assets', '/secret.txt', '/docs/other.html', '/v2/health', '/index.html/'])(
    'answers %s as the API would',
    (path) => {
      const { statusCode, headers, body } = ask(path);
      expect(statusCode).toBe(404);
      const envelope = errorEnvelope.parse(JSON.parse(body ?? ''));
      expect(envelope.message).toBe(GATEWAY_ERRORS.MISSING_AUTHENTICATION_TOKEN.message);
      expect(headers?.['x-request-id']?.value).toBe(envelope.request_id);
      expect(headers?.['cache-control']?.value).toBe('no-store');
      expect(headers?.['content-type']?.value).toBe('application/json');
    },
  );

  it('lets no other method than GET and HEAD through, and makes a new id for each request', () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect(ask('/', method).statusCode).toBe(404);
    expect(ask('/health').body).not.toBe(ask('/health').body);
  });

  it('has room for a hundred pages and a 404 page of 4 kB within the limit of CloudFront', () => {
    const many = Array.from({ length: 100 }, (_, i) => `/docs/a-page-with-a-name-${i}.html`);
    const code = portalPathsCode(many, 'x'.repeat(4000));
    expect(Buffer.byteLength(code)).toBeLessThan(MOST_FUNCTION_BYTES);
  });
});
