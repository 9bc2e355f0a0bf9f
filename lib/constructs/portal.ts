/** A private bucket for the portal's files, and CloudFront in front of them and of the API. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, Stack, Token } from 'aws-cdk-lib';
import {
  AccessLevel,
  AllowedMethods,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  type FunctionAssociation,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginRequestPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Bucket, type IBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { Construct } from 'constructs';
import { NOT_FOUND_PAGE, SECURITY_HEADERS } from '../../portal/served-headers.ts';
import { acknowledge } from '../acknowledgements.ts';
import { keep, pin } from '../pinned.ts';
import type { StageConfig } from '../stage-config.ts';
import { ATHENA_RESULTS } from './athena-tables.ts';
import { CLOSED_BUCKET } from './closed-bucket.ts';
import { PORTAL_HEADERS } from './firewall.ts';
import { DATASET_INDEX, portalPathsCode, VIEWER_ADDRESS } from './portal-paths.ts';

export interface PortalProps {
  readonly config: StageConfig;
  /** Folder of the built portal. */
  readonly portalDir: string;
  /** Host name of the API. */
  readonly apiHost: string;
  /** Sent to the API with every request, for its firewall; absent where there is none. */
  readonly mark?: string;
}

const LOGS_KEPT = Duration.days(90);
/** CloudFront writes no logs into a bucket of a region that accounts must opt in to, and refuses the distribution. */
const takesLogs = ({ region }: Stack): boolean =>
  Token.isUnresolved(region) || !RegionInfo.get(region).isOptInRegion;

/** Failures of the API that CloudFront would keep for ten seconds, even where nothing is cached and against `no-store`. */
const NEVER_KEPT = [500, 502, 503, 504];

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

export class Portal extends Construct {
  readonly distribution: Distribution;
  readonly bucket: Bucket;
  /** The releases of the dataset, below `data/`. */
  readonly releases: Bucket;

  constructor(scope: Construct, id: string, props: PortalProps) {
    super(scope, id);
    const { config } = props;
    const logs = new Bucket(this, 'Logs', {
      ...CLOSED_BUCKET,
      // CloudFront writes its logs under an access list.
      objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
      lifecycleRules: [{ expiration: LOGS_KEPT }],
    });
    keep(logs, 'PortalLogs26A5BB73', config);
    this.bucket = new Bucket(this, 'Files', {
      ...CLOSED_BUCKET,
      versioned: true,
      serverAccessLogsBucket: logs as IBucket,
      serverAccessLogsPrefix: 'files/',
      lifecycleRules: [{ noncurrentVersionExpiration: LOGS_KEPT }],
    });
    keep(this.bucket, 'PortalFilesA1E38FB9', config);
    this.releases = new Bucket(this, 'Releases', {
      ...CLOSED_BUCKET,
      serverAccessLogsBucket: logs as IBucket,
      serverAccessLogsPrefix: 'releases/',
      lifecycleRules: [{ prefix: ATHENA_RESULTS, expiration: Duration.days(7) }],
    });
    keep(this.releases, 'Releases', config);
    this.distribution = this.addDistribution(props, logs);
  }

  private addDistribution({ config, portalDir, apiHost, mark }: PortalProps, logs: Bucket): Distribution {
    const files = builtFiles(portalDir);
    const notFoundPage = readFileSync(join(portalDir, NOT_FOUND_PAGE), 'utf8');
    const paths = this.addEdgeFunction(
      'Paths',
      'Index of folders; 404 for a path that names no file',
      portalPathsCode(files, notFoundPage),
    );
    const distribution = new Distribution(this, 'Distribution', {
      comment: `Port Congestion Data Service, ${config.stage}`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      ...(takesLogs(Stack.of(this)) && { logBucket: logs as IBucket, logFilePrefix: 'distribution/' }),
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(this.bucket as IBucket),
        // The function refuses methods other than GET and HEAD, as the API does.
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        compress: true,
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        responseHeadersPolicy: this.addSecurityHeaders(),
        functionAssociations: [paths],
      },
      additionalBehaviors: {
        '/data/*': {
          // With the right to list, S3 says of an object that is not there that it is not there.
          origin: S3BucketOrigin.withOriginAccessControl(this.releases as IBucket, {
            originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
          }),
          cachePolicy: CachePolicy.CACHING_OPTIMIZED,
          // Parquet is compressed already, and a range is one of these bytes.
          compress: false,
          viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
          // Pages of other hosts may read the dataset too, for example DuckDB in a browser.
          responseHeadersPolicy: ResponseHeadersPolicy.CORS_ALLOW_ALL_ORIGINS_AND_SECURITY_HEADERS,
          functionAssociations: [
            this.addEdgeFunction('DatasetIndex', 'The page of the newest release at /data/', DATASET_INDEX),
          ],
        },
        '/v1/*': {
          // Over TLS 1.2 only, by default. CloudFront puts the mark in the place of one that the caller sent.
          origin: new HttpOrigin(apiHost, {
            originPath: `/${config.stage}`,
            ...(mark !== undefined && { customHeaders: { [PORTAL_HEADERS.mark]: mark } }),
          }),
          allowedMethods: AllowedMethods.ALLOW_ALL,
          // A cached response would have the request id and the limits of another caller.
          cachePolicy: CachePolicy.CACHING_DISABLED,
          originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
          // Other bytes under the same strong ETag; and no key goes over plain HTTP, not even to be redirected.
          compress: false,
          viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
          ...(mark !== undefined && {
            functionAssociations: [
              this.addEdgeFunction(
                'Viewer',
                "The caller's address, for the firewall of the API",
                VIEWER_ADDRESS,
              ),
            ],
          }),
        },
      },
      errorResponses: NEVER_KEPT.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    pin(distribution, 'PortalDistribution29412EF8');
    acknowledge(distribution, 'ownCertificate');
    acknowledge(distribution, 'everyCountry');
    acknowledge(distribution, 'firewallBehind');
    if (!takesLogs(Stack.of(this))) acknowledge(distribution, 'noEdgeLog');
    return distribution;
  }

  /** A function that CloudFront runs on each request before it looks for the response. */
  private addEdgeFunction(id: string, comment: string, code: string): FunctionAssociation {
    const edge = new EdgeFunction(this, id, {
      comment,
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(code),
    });
    return { function: edge, eventType: FunctionEventType.VIEWER_REQUEST };
  }

  /** CloudFront refuses, at deployment, a custom header that it has a setting for. A test compares both with the one list. */
  private addSecurityHeaders(): ResponseHeadersPolicy {
    const {
      'Content-Security-Policy': contentSecurityPolicy,
      'X-Content-Type-Options': _sniffing,
      'X-Frame-Options': _frames,
      'Referrer-Policy': _referrer,
      ...headers
    } = SECURITY_HEADERS;
    return new ResponseHeadersPolicy(this, 'SecurityHeaders', {
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
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
}
