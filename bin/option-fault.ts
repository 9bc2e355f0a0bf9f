/** What is wrong with a command line that Node cannot read, in one line. */
import { faultText } from '../local/start-fault.ts';

/** Node's own words without its advice on arguments that begin with a hyphen, of which no command here has any. */
export const optionFault = (thrown: unknown): string =>
  faultText(thrown).split(/\. To specify|\n/, 1)[0] ?? '';
