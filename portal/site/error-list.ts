/** The errors, one heading for each code, from the table of codes and the gateway's own messages. */
import { ApiError, ERROR_CODES, ERRORS, type ErrorCode, envelopeOf } from '../../core/contracts/errors.ts';
import { GATEWAY_ERRORS, type GatewayError } from '../../core/contracts/gateway-errors.ts';
import { markdownTable } from './markdown.ts';

/** Whether the same request can succeed later; what a program should do with the code. */
const ADVICE: Readonly<Record<ErrorCode, string>> = {
  bad_request: 'Do not retry. Correct the request.',
  auth_missing: 'Do not retry. Send the header `X-API-Key`.',
  auth_invalid: 'Do not retry. Check the key, and that it belongs to this stage.',
  auth_forbidden: 'Do not retry. Ask the operator about the key or its plan.',
  not_found: 'Do not retry. Check the path; `GET /v1/ports` lists the ports.',
  conflict: 'Do not retry. Leave one of the parameters out.',
  validation_failed: 'Do not retry. `message` names the parameter, `hint` a request that works.',
  rate_limited: 'Retry after the seconds in `Retry-After`, not sooner.',
  internal_error: 'Retry after 1, 2, 4, 8 s with 20 % jitter. If the error persists, report `request_id`.',
  upstream_error:
    'Retry, after the seconds in `Retry-After` where it is given, else after 1, 2, 4, 8 s with 20 % jitter.',
};

const examples = (code: ErrorCode): GatewayError[] => {
  const all = Object.values(GATEWAY_ERRORS).filter((error: GatewayError) => error.code === code);
  return [...new Map(all.map((error: GatewayError) => [error.message, error])).values()];
};

function section(code: ErrorCode): string {
  const { statuses, meaning } = ERRORS[code];
  const rows = examples(code).map(({ message, hint }) => [message, hint ?? '']);
  return [
    `## \`${code}\``,
    `Status ${statuses.join(', ')}. ${meaning}`,
    ADVICE[code],
    ...(rows.length > 0 ? [markdownTable(['Message of the gateway', 'Hint'], rows)] : []),
  ].join('\n\n');
}

/** The gateway's whole response to a request without a key. */
export function errorExample(): string {
  const { code, message, hint } = GATEWAY_ERRORS.UNAUTHORIZED;
  const body = envelopeOf(new ApiError(code, message, { hint }), '6f9d2a34-7a0f-4b57-9a3e-0d1c5b8e7f21');
  return `\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``;
}

export const errorTable = (): string =>
  markdownTable(
    ['Code', 'Status', 'Meaning'],
    ERROR_CODES.map((code) => [
      `[\`${code}\`](errors.md#${code})`,
      ERRORS[code].statuses.join(', '),
      ERRORS[code].meaning,
    ]),
  );

export const errorSections = (): string => ERROR_CODES.map(section).join('\n\n');
