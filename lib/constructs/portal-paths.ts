/** What CloudFront does with a path before it asks the bucket: folders have an index, and nobody else's path gets there. */
import { GATEWAY_ERRORS } from '../../core/contracts/gateway-errors.ts';
import { HEADERS, JSON_TYPE, NOT_CACHEABLE } from '../../core/contracts/headers.ts';
import { HASHED_FILES } from '../../portal/served-headers.ts';

/**
 * Code of a CloudFront function (runtime 2.0, viewer request). A folder without its slash is sent on to it. A path that
 * is no file of the portal gets the API's own 404, made here: a custom error response would also replace the envelopes
 * behind `/v1/`. Files with a hash pass even when this build has other ones, for readers whose page is of the build
 * before.
 *
 * @param files paths of the built files, each with a slash in front
 */
export function portalPathsCode(files: readonly string[]): string {
  const { status, code, message, hint } = GATEWAY_ERRORS.MISSING_AUTHENTICATION_TOKEN;
  const pages = files.filter((path) => !path.startsWith(HASHED_FILES)).toSorted();
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
