/**
 * Requests of this start to a server that must answer nobody else: any program of this machine can connect to a loopback
 * port, and any page in the operator's browser can send a request to it.
 */

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/** Whether a request comes from no web page, names a loopback host, and knows the secret that begins the path. */
export function isOwnRequest({ headers, url = '' }, secret) {
  const [, first = ''] = url.split(/[/?]/, 2);
  return headers.origin === undefined && LOOPBACK.test(String(headers.host ?? '')) && first === secret;
}
