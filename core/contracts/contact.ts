/** The operator's contact: the `contact` setting of a stage, or the variable `CONTACT`; an e-mail address or an https address. */

export const CONTACT_RULE =
  'a contact is an e-mail address or an https address, without spaces, quotes, brackets, $, # or \\';

const EMAIL = /^[^@]+@[^@.]+(\.[^@.]+)+$/;

/** Whether `text` can stand as it is inside JSON, a page link and an HTTP header. */
export function isContact(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || /['"\\<>()$#]/.test(text)) return false;
  return text.startsWith('https://') ? URL.canParse(text) : EMAIL.test(text) && !/[/:]/.test(text);
}

/** How hints name the operator; a stage's contact follows it in brackets. */
export const OPERATOR = 'the operator of the service';

/** `hint` with the contact after the operator's name; unchanged when the stage has no contact. */
export const withContact = (hint: string, contact: string | undefined): string =>
  contact === undefined ? hint : hint.replace(OPERATOR, `${OPERATOR} (${contact})`);

export const isEmail = (contact: string): boolean => !contact.startsWith('https://');

/** The contact as `info.contact` of an OpenAPI document. */
export const contactObject = (contact: string): { readonly email: string } | { readonly url: string } =>
  isEmail(contact) ? { email: contact } : { url: contact };
