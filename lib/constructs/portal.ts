/** A private bucket for the portal's files, and CloudFront in front of them and of the API. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, type Stack, Token } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Bucket, HttpMethods, type IBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { Construct } from 'constructs';
import { NOT_FOUND_PAGE, SECURITY_HEADERS } from '../../portal/served-headers.ts';
import { keep, pin } from '../pinned.ts';
import { accept } from '../rights.ts';
import type { StageConfig } from '../stage-config.ts';
import { ATHENA_RESULTS } from './athena-tables.ts';
import { CLOSED_BUCKET } from './closed-bucket.ts';
import { PORTAL_HEADERS } from './firewall.ts';
import { DATASET_REQUEST, DATASET_RESPONSE, portalPathsCode, VIEWER_CODE } from './portal-paths.ts';

const LOGS_KEPT = Duration.days(90);
/** CloudFront writes no logs into a bucket of a region that accounts must opt in to, and refuses the distribution. */
const takesLogs = ({ region }: Stack): boolean =>
  Token.isUnresolved(region) || !RegionInfo.get(region).isOptInRegion;

/**
 * Statuses that CloudFront keeps for ten seconds by default, by path alone, even where nothing is cached and against `no-store`: another
 * caller's 404 for one `as_of` would be the response to every query of the path. A missing file of the dataset reaches S3 each time,
 * at $0.40 a million.
 */
const NEVER_KEPT = [404, 405, 414, 500, 501, 502, 503, 504];

/** What a page of another origin may read of a file of the dataset, beside the headers that CORS always exposes. */
const EXPOSED_TO_PAGES = ['Accept-Ranges', 'Content-Length', 'Content-Range', 'ETag'];
const PREFLIGHT_KEPT = Duration.hours(1);

/** Paths of the files below `folder`, with a slash in front; throws when the portal was not built. */
function builtFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length).replaceAll('\\', '/'));
  } catch (thrown) {
    throw new Error(`the portal is not built in ${folder}: npm run build -- portal`, { cause: thrown });
  }
}

/** CloudFront refuses a longer function, at deployment. The list of pages is most of the longest one. */
const MAX_EDGE_BYTES = 10 * 1024;

/** A function that CloudFront runs on each request before it looks for the response. */
function addEdgeFunction(
  scope: Construct,
  id: string,
  comment: string,
  code: string,
  eventType = cloudfront.FunctionEventType.VIEWER_REQUEST,
): cloudfront.FunctionAssociation {
  const bytes = Buffer.byteLength(code);
  if (bytes > MAX_EDGE_BYTES)
    throw new Error(`the function ${id} has ${bytes} bytes, and CloudFront takes ${MAX_EDGE_BYTES}`);
  const edge = new cloudfront.Function(scope, id, {
    comment,
    runtime: cloudfront.FunctionRuntime.JS_2_0,
    code: cloudfront.FunctionCode.fromInline(code),
  });
  return { function: edge, eventType };
}

/** CloudFront refuses, at deployment, a custom header that it has a setting for. A test compares both with the one list. */
function addSecurityHeaders(scope: Construct): cloudfront.ResponseHeadersPolicy {
  const {
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': _sniffing,
    'X-Frame-Options': _frames,
    'Referrer-Policy': _referrer,
    ...headers
  } = SECURITY_HEADERS;
  return new cloudfront.ResponseHeadersPolicy(scope, 'SecurityHeaders', {
    securityHeadersBehavior: {
      contentSecurityPolicy: { contentSecurityPolicy, override: true },
      contentTypeOptions: { override: true },
      frameOptions: { frameOption: cloudfront.HeadersFrameOption.DENY, override: true },
      referrerPolicy: { referrerPolicy: cloudfront.HeadersReferrerPolicy.NO_REFERRER, override: true },
      strictTransportSecurity: {
        accessControlMaxAge: Duration.days(365),
        includeSubdomains: true,
        override: true,
      },
    },
    customHeadersBehavior: {
      customHeaders: Object.entries(headers).map(([header, value]) => ({ header, value, override: true })),
    },
  });
}

/** Pages of other hosts may read the dataset, with ranges, for example DuckDB in a browser. */
function addDatasetHeaders(scope: Construct): cloudfront.ResponseHeadersPolicy {
  return new cloudfront.ResponseHeadersPolicy(scope, 'DatasetHeaders', {
    securityHeadersBehavior: {
      contentTypeOptions: { override: true },
      frameOptions: { frameOption: cloudfront.HeadersFrameOption.DENY, override: true },
      referrerPolicy: { referrerPolicy: cloudfront.HeadersReferrerPolicy.NO_REFERRER, override: true },
      strictTransportSecurity: {
        accessControlMaxAge: Duration.days(365),
        includeSubdomains: true,
        override: true,
      },
    },
    corsBehavior: {
      accessControlAllowCredentials: false,
      accessControlAllowHeaders: ['*'],
      accessControlAllowMethods: ['GET', 'HEAD', 'OPTIONS'],
      accessControlAllowOrigins: ['*'],
      accessControlExposeHeaders: EXPOSED_TO_PAGES,
      accessControlMaxAge: PREFLIGHT_KEPT,
      originOverride: true,
    },
  });
}

/** @param mark sent to the API with every request, for its firewall; absent where there is none */
export function addPortal(
  stack: Stack,
  config: StageConfig,
  portalDir: string,
  apiHost: string,
  mark: string | undefined,
) {
  const scope = new Construct(stack, 'Portal');
  const { portalDomainName, portalCertificateArn } = config;
  const logs = new Bucket(scope, 'Logs', {
    ...CLOSED_BUCKET,
    // CloudFront writes its logs under an access list.
    objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
    lifecycleRules: [{ expiration: LOGS_KEPT }],
  });
  keep(logs, 'PortalLogs26A5BB73', config);
  const bucket = new Bucket(scope, 'Files', {
    ...CLOSED_BUCKET,
    versioned: true,
    serverAccessLogsBucket: logs as IBucket,
    serverAccessLogsPrefix: 'files/',
    lifecycleRules: [{ noncurrentVersionExpiration: LOGS_KEPT }],
  });
  keep(bucket, 'PortalFilesA1E38FB9', config);
  const releases = new Bucket(scope, 'Releases', {
    ...CLOSED_BUCKET,
    serverAccessLogsBucket: logs as IBucket,
    serverAccessLogsPrefix: 'releases/',
    // Without a rule of its own the bucket responds to a preflight with 403.
    cors: [
      {
        allowedOrigins: ['*'],
        allowedMethods: [HttpMethods.GET, HttpMethods.HEAD],
        allowedHeaders: ['*'],
        exposedHeaders: EXPOSED_TO_PAGES,
        maxAge: PREFLIGHT_KEPT.toSeconds(),
      },
    ],
    lifecycleRules: [{ prefix: ATHENA_RESULTS, expiration: Duration.days(7) }],
  });
  keep(releases, 'Releases', config);
  const files = builtFiles(portalDir);
  const notFoundPage = readFileSync(join(portalDir, NOT_FOUND_PAGE), 'utf8');
  const paths = addEdgeFunction(
    scope,
    'Paths',
    'Index of folders; 404 for a path that names no file',
    portalPathsCode(files, notFoundPage),
  );
  const distribution = new cloudfront.Distribution(scope, 'Distribution', {
    comment: `Port Congestion Data Service, ${config.stage}`,
    ...(portalDomainName !== undefined &&
      portalCertificateArn !== undefined && {
        domainNames: [portalDomainName],
        certificate: Certificate.fromCertificateArn(scope, 'Certificate', portalCertificateArn),
        minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
    httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
    priceClass: cloudfront.PriceClass.PRICE_CLASS_100,
    ...(takesLogs(stack) && { logBucket: logs as IBucket, logFilePrefix: 'distribution/' }),
    defaultBehavior: {
      origin: S3BucketOrigin.withOriginAccessControl(bucket as IBucket),
      // The function refuses methods other than GET and HEAD, as the API does.
      allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
      viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      responseHeadersPolicy: addSecurityHeaders(scope),
      functionAssociations: [paths],
    },
    additionalBehaviors: {
      '/data/*': {
        // With the right to list, S3 says of an object that is not there that it is not there.
        origin: S3BucketOrigin.withOriginAccessControl(releases as IBucket, {
          originAccessLevels: [cloudfront.AccessLevel.READ, cloudfront.AccessLevel.LIST],
        }),
        // Parquet is compressed already, and a range is one of these bytes.
        compress: false,
        viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        allowedMethods: cloudfront.AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
        // S3 responds to a preflight by its headers.
        originRequestPolicy: cloudfront.OriginRequestPolicy.CORS_S3_ORIGIN,
        responseHeadersPolicy: addDatasetHeaders(scope),
        functionAssociations: [
          addEdgeFunction(scope, 'DatasetIndex', 'The page of the newest release at /data/', DATASET_REQUEST),
          addEdgeFunction(
            scope,
            'DatasetNewest',
            'Redirects below /data/latest/ to the newest release',
            DATASET_RESPONSE,
            cloudfront.FunctionEventType.VIEWER_RESPONSE,
          ),
        ],
      },
      '/v1/*': {
        // Over TLS 1.2 only, by default. CloudFront puts the mark in the place of one that the caller sent.
        origin: new HttpOrigin(apiHost, {
          originPath: `/${config.stage}`,
          ...(mark && { customHeaders: { [PORTAL_HEADERS.mark]: mark } }),
        }),
        allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
        // A cached response would have the request id and the limits of another caller.
        cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
        originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        // Other bytes under the same strong ETag; and no key goes over plain HTTP, not even to be redirected.
        compress: false,
        viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
        functionAssociations: [
          addEdgeFunction(
            scope,
            'Viewer',
            "The caller's address, for the API's firewall, and the host that it asked",
            VIEWER_CODE,
          ),
        ],
      },
    },
    errorResponses: NEVER_KEPT.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
  });
  pin(distribution, 'PortalDistribution29412EF8');
  accept(distribution, 'AwsSolutions-CFR1', 'AwsSolutions-CFR2');
  if (portalDomainName === undefined) accept(distribution, 'AwsSolutions-CFR4');
  if (!takesLogs(stack)) accept(distribution, 'AwsSolutions-CFR3');
  return { distribution, bucket, releases };
}
