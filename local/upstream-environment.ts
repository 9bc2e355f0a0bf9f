/** What requests to the real upstreams take from the environment of a command: the publishers' keys, and a contact. */
import { CONTACT_RULE, isContact } from '../core/contracts/contact.ts';
import { EXCLUDED_FEEDS, excludedFeedsIn } from '../core/sources/declarations.ts';
import type { SourceDeclaration } from '../core/upstream/source.ts';
import { errorText, StartError } from './start-error.ts';

/** The variable with the contact that requests state in `User-Agent`, here and in the deployed functions. */
const CONTACT = 'CONTACT';

/** Throws `StartError` when the contact or an excluded feed cannot be used. */
export function upstreamEnvironment(
  declarations: readonly SourceDeclaration[],
  environment: NodeJS.ProcessEnv,
) {
  const contact = environment[CONTACT] || undefined;
  if (contact !== undefined && !isContact(contact))
    throw new StartError(`${CONTACT}=${contact} cannot be used: ${CONTACT_RULE}`);
  try {
    excludedFeedsIn(environment);
  } catch (thrown) {
    throw new StartError(errorText(thrown));
  }
  const names = [...declarations.flatMap(({ secret }) => secret ?? []), CONTACT, EXCLUDED_FEEDS];
  const set = names.flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : []));
  return {
    /** Variables that are set, for the ingest function. */
    variables: Object.fromEntries(set),
    /** A line for the operator: the contact that publishers receive. */
    contactLine:
      contact === undefined
        ? `requests to publishers name no contact: set ${CONTACT} to your e-mail or https address, so that they can reach you`
        : `requests to publishers name the contact ${contact}`,
  };
}
