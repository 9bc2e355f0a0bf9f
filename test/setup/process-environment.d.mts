/** Jest's environment of a suite: the process itself. */
export default class ProcessEnvironment {
  constructor(config: { readonly projectConfig: object });
  /** Puts back what the suite changed of the process. */
  teardown(): Promise<void>;
}
