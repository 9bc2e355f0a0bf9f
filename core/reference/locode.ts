/** UN/LOCODE: the five-character code of a port (UNECE Recommendation 16), country first. */
export type Locode = string;

/** Two letters of the country, three letters or digits of the place. */
export const LOCODE = /^[A-Z]{2}[A-Z0-9]{3}$/;

/** Whether `text` has the form of a UN/LOCODE in upper case; does not check that the port exists. */
export const isLocode = (text: string): text is Locode => LOCODE.test(text);
