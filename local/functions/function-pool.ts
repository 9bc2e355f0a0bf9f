/** The running copies of the service's functions, each loaded when it is first called. */
import { StartError } from '../start-error.ts';
import type { FunctionModel } from '../template/model.ts';
import { type FunctionRuntime, type Invoke, instantiate } from './functions.ts';

export interface FunctionPool {
  /** Calls the function with the ARN; its copies take turns. */
  invokerOf(arn: string): Invoke;
  /** One more copy of the function, which shares only the tables with the others. */
  fresh(arn: string): Invoke;
  /** Loads a copy of each, so that a function that cannot be loaded stops the start. */
  loadAll(): void;
}

/** @param copies number of copies of each function, which take turns like containers */
export function createFunctionPool(
  models: ReadonlyMap<string, FunctionModel>,
  runtime: FunctionRuntime,
  copies: number,
): FunctionPool {
  const modelOf = (arn: string): FunctionModel => {
    const model = models.get(arn);
    if (!model) throw new StartError(`${arn} is called, but no function of the template has it`);
    return model;
  };
  const fresh = (arn: string): Invoke => instantiate(modelOf(arn), runtime);
  const loaded = new Map<string, Invoke[]>();
  const copiesOf = (arn: string): Invoke[] => {
    const known = loaded.get(arn) ?? Array.from({ length: copies }, () => fresh(arn));
    loaded.set(arn, known);
    return known;
  };
  return {
    fresh,
    invokerOf(arn) {
      modelOf(arn);
      let all: readonly Invoke[] | undefined;
      let turn = 0;
      return (event) => {
        all ??= copiesOf(arn);
        const invoke = all[turn % all.length] ?? fresh(arn);
        turn += 1;
        return invoke(event);
      };
    },
    loadAll() {
      for (const arn of models.keys()) copiesOf(arn);
    },
  };
}
