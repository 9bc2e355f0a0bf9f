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
import { HEADERS, JSON_TYPE, NOT_CACHEABLE, VIEWER_HOST } from '../../core/contracts/wire.ts';
import { GATEWAY_ERRORS } from '../../core/http/gateway-errors.ts';
import { INDEX, LATEST, NEWEST, RELEASE_KEY } from '../../core/store/release-place.ts';
import { contentType, HASHED_FILES, NOT_FOUND_PAGE, SECURITY_HEADERS } from '../../portal/served-headers.ts';
import { keep, pin } from '../pinned.ts';
import { accept } from '../rights.ts';
import type { StageConfig } from '../stage-config.ts';
import { ATHENA_RESULTS } from './athena-tables.ts';
import { PORTAL_HEADERS } from './firewall.ts';
import { CLOSED_BUCKET } from './raw-archive.ts';

// Code of CloudFront functions (runtime 2.0), which run before a request reaches its origin, or before a response
// leaves.

/** Puts the caller's address and the host that it asked into headers of the request, in place of whatever the caller sent there. */
export const VIEWER_CODE = `function handler(event) {
  event.request.headers['${PORTAL_HEADERS.viewer}'] = { value: event.viewer.ip };
  event.request.headers['${VIEWER_HOST}'] = { value: event.request.headers.host.value };
  return event.request;
}
`;

/**
 * Gives the dataset its page, and asks the bucket which release is the newest where a path leads to that. A range or a tag would be of the
 * file that says so.
 */
export const DATASET_REQUEST = `function handler(event) {
  var request = event.request;
  if (request.uri === '/data/') request.uri = '/data/${INDEX}';
  if (request.uri.startsWith('/data/${NEWEST}') && request.method !== 'OPTIONS') {
    request.uri = '/data/${LATEST}';
    ['range', 'if-range', 'if-none-match', 'if-modified-since'].forEach(function (name) {
      delete request.headers[name];
    });
  }
  return request;
}
`;

/** Leads a path below the newest release to the release of that day. The request is the one that the caller sent. */
export const DATASET_RESPONSE = `function handler(event) {
  var response = event.response;
  var path = event.request.uri;
  var release = response.headers['x-amz-meta-${RELEASE_KEY}'];
  if (!release || !path.startsWith('/data/${NEWEST}') || event.request.method === 'OPTIONS') return response;
  response.statusCode = 302;
  response.statusDescription = 'Found';
  response.headers.location = { value: '/data/release=' + release.value + path.slice('/data/latest'.length) };
  response.headers['cache-control'] = { value: '${NOT_CACHEABLE}' };
  return response;
}
`;

/**
 * A path that names no file gets a 404 from here, as a page for a browser and as the API's envelope otherwise: a custom error
 * response would also replace the envelopes behind `/v1/`. Files with a hash pass even when this build has other ones, for
 * readers whose page is of the previous build.
 *
 * @param files paths of the built files, each with a slash in front
 */
export function portalPathsCode(files: readonly string[], notFoundPage: string): string {
  const { status, code, message, hint } = GATEWAY_ERRORS.MISSING_AUTHENTICATION_TOKEN;
  const pages = files.filter((path) => !path.startsWith(HASHED_FILES) && path !== NOT_FOUND_PAGE).toSorted();
  return `var files = ${JSON.stringify(pages)};
function uuid() {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, function (place) {
    var digit = Math.floor(Math.random() * 16);
    return (place === 'y' ? (digit % 4) + 8 : digit).toString(16);
  });
}
function handler(event) {
  var request = event.request;
  var path = request.uri.endsWith('/') ? request.uri + 'index.html' : request.uri;
  var reads = request.method === 'GET' || request.method === 'HEAD';
  if (reads && (path.startsWith('${HASHED_FILES}') || files.indexOf(path) >= 0)) {
    request.uri = path;
    return request;
  }
  if (reads && files.indexOf(request.uri + '/index.html') >= 0)
    return {
      statusCode: 301,
      statusDescription: 'Moved Permanently',
      headers: { location: { value: request.uri + '/' } },
    };
  var accept = request.headers.accept ? request.headers.accept.value : '';
  if (reads && accept.indexOf('text/html') >= 0 && !/^\\/v\\d+(\\/|$)/.test(request.uri))
    return {
      statusCode: 404,
      statusDescription: 'Not Found',
      headers: {
        'content-type': { value: '${contentType(NOT_FOUND_PAGE)}' },
        'cache-control': { value: '${NOT_CACHEABLE}' },
        'content-security-policy': { value: ${JSON.stringify(SECURITY_HEADERS['Content-Security-Policy'])} },
      },
      body: ${JSON.stringify(notFoundPage)},
    };
  var id = uuid();
  return {
    statusCode: ${status},
    statusDescription: 'Not Found',
    headers: {
      'content-type': { value: '${JSON_TYPE}' },
      'cache-control': { value: '${NOT_CACHEABLE}' },
      '${HEADERS.requestId}': { value: id },
    },
    body: JSON.stringify({ code: ${JSON.stringify(code)}, message: ${JSON.stringify(message)}, request_id: id, hint: ${JSON.stringify(hint)} }),
  };
}
`;
}

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
