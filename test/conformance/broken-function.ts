/** Breaks the function behind one endpoint of a deployed stage for the length of a row. */
import {
  DeleteFunctionCommand,
  GetAliasCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
  PublishVersionCommand,
  UpdateAliasCommand,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda';

/** The alias that the gateway calls. */
const ALIAS = { Name: 'live' } as const;
const MAX_WAIT_SECONDS = 60;

export interface Fault {
  readonly handler?: string;
  readonly timeoutSeconds?: number;
  readonly variables?: Readonly<Record<string, string>>;
}

/** The name of the function that may be broken; credentials come from the environment. */
function breakableFunction(): string {
  const name = process.env.BREAKABLE_FUNCTION;
  if (name === undefined) throw new Error('no function may be broken: set BREAKABLE_FUNCTION');
  return name;
}

/** Publishes a version with `fault` and moves the alias to it during `work`; afterwards everything is as it was before. */
export async function withBrokenFunction(fault: Fault, work: () => Promise<void>): Promise<void> {
  const FunctionName = breakableFunction();
  const functions = new LambdaClient({});
  const {
    Handler,
    Timeout,
    Environment: { Variables } = {},
  } = await functions.send(new GetFunctionConfigurationCommand({ FunctionName }));
  const { FunctionVersion } = await functions.send(new GetAliasCommand({ FunctionName, ...ALIAS }));
  const configure = async ({ handler, timeoutSeconds, variables }: Fault): Promise<void> => {
    const settings = {
      Handler: handler ?? Handler,
      Timeout: timeoutSeconds ?? Timeout,
      Environment: { Variables: { ...Variables, ...variables } },
    };
    await functions.send(new UpdateFunctionConfigurationCommand({ FunctionName, ...settings }));
    await waitUntilFunctionUpdatedV2({ client: functions, maxWaitTime: MAX_WAIT_SECONDS }, { FunctionName });
  };
  try {
    await configure(fault);
    const { Version } = await functions.send(new PublishVersionCommand({ FunctionName }));
    try {
      await functions.send(new UpdateAliasCommand({ FunctionName, ...ALIAS, FunctionVersion: Version }));
      await work();
    } finally {
      await functions.send(new UpdateAliasCommand({ FunctionName, ...ALIAS, FunctionVersion }));
      await functions.send(new DeleteFunctionCommand({ FunctionName, Qualifier: Version }));
    }
  } finally {
    await configure({});
    functions.destroy();
  }
}
