/** Code of CloudFront functions (runtime 2.0), which run before a request reaches its origin, or before a response leaves. */

import { HEADERS, JSON_TYPE, NOT_CACHEABLE, VIEWER_HOST } from '../../core/contracts/headers.ts';
import { GATEWAY_ERRORS } from '../../core/http/gateway-errors.ts';
import { INDEX, LATEST, NEWEST, RELEASE_KEY } from '../../core/store/release-place.ts';
import { contentType, HASHED_FILES, NOT_FOUND_PAGE, SECURITY_HEADERS } from '../../portal/served-headers.ts';
import { PORTAL_HEADERS } from './firewall.ts';

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
