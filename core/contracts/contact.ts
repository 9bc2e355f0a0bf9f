/** The contact for questions about keys and plans: the `contact` setting of a stage, an e-mail address or an https address. */

/** How hints name the operator; a stage's contact follows it in brackets. */
export const OPERATOR = 'the operator of the service';

/** `hint` with the contact after the operator's name; unchanged when the stage has no contact. */
export const withContact = (hint: string, contact: string | undefined): string =>
  contact === undefined ? hint : hint.replace(OPERATOR, `${OPERATOR} (${contact})`);

export const isEmail = (contact: string): boolean => !contact.startsWith('https://');

/** As `info.contact` of an OpenAPI document states it. */
export const contactObject = (contact: string): { readonly email: string } | { readonly url: string } =>
  isEmail(contact) ? { email: contact } : { url: contact };
