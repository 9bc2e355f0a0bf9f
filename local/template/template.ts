/** Reads the stacks of a synthesized cloud assembly and returns their resources with references resolved. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorText, StartError } from '../start-error.ts';

/** The account and the region on one machine. */
export const LOCAL_REGION = 'local';
export const LOCAL_ACCOUNT = '000000000000';

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const toRecord = (value: unknown): Json => (isRecord(value) ? value : {});
const toRecords = (value: unknown): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(toRecord(value)).map(([key, inner]) => [key, toRecord(inner)]));

/** Properties with the resource name that `Ref` returns. */
const NAMES: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::ApiGateway::Stage': 'StageName',
};

/** ARN forms of the resources that others refer to. */
const ARN_PREFIXES: Readonly<Record<string, string>> = {
  'AWS::Lambda::Function': `lambda:${LOCAL_REGION}:${LOCAL_ACCOUNT}:function:`,
  'AWS::DynamoDB::Table': `dynamodb:${LOCAL_REGION}:${LOCAL_ACCOUNT}:table/`,
  'AWS::SQS::Queue': `sqs:${LOCAL_REGION}:${LOCAL_ACCOUNT}:`,
};

const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::Region': LOCAL_REGION,
  'AWS::AccountId': LOCAL_ACCOUNT,
  'AWS::Partition': 'aws',
};

/** One stack, whose references it resolves; `where` is the place in the template for error messages. */
class Stack {
  readonly resources: Readonly<Record<string, Json>>;
  readonly outputs: Readonly<Record<string, Json>>;

  /** @param stacks all stacks of the assembly, by name */
  constructor(
    readonly name: string,
    template: Json,
    readonly stacks: ReadonlyMap<string, Stack>,
  ) {
    this.resources = toRecords(template.Resources);
    this.outputs = toRecords(template.Outputs);
  }

  /** `value` with all references resolved. Throws `StartError`. */
  resolve(value: unknown, where: string): unknown {
    if (Array.isArray(value)) return value.map((item, index) => this.resolve(item, `${where}.${index}`));
    if (!isRecord(value)) return value;
    const entries = Object.entries(value);
    const [name = '', argument] = entries[0] ?? [];
    if (entries.length === 1 && (name === 'Ref' || name.startsWith('Fn::')))
      return this.#call(name, argument, where);
    return Object.fromEntries(entries.map(([key, inner]) => [key, this.resolve(inner, `${where}.${key}`)]));
  }

  /** The result of `Ref`: the declared name, else one made of stack and logical id; of an alias its ARN. */
  reference(id: string, where: string): string {
    const pseudo = PSEUDO_PARAMETERS[id];
    if (pseudo !== undefined) return pseudo;
    const resource = this.resources[id];
    if (!resource) throw new StartError(`${where}: Ref names ${id}, which the stack does not have`);
    if (resource.Type === 'AWS::Lambda::Alias') {
      const { FunctionName, Name } = toRecord(resource.Properties);
      const prefix = ARN_PREFIXES['AWS::Lambda::Function'];
      return `arn:aws:${prefix}${this.#text(FunctionName, where)}:${this.#text(Name, where)}`;
    }
    const named = toRecord(resource.Properties)[NAMES[String(resource.Type)] ?? ''];
    return named === undefined ? `${this.name}-${id}` : this.#text(named, where);
  }

  #call(name: string, argument: unknown, where: string): unknown {
    const items: readonly unknown[] = Array.isArray(argument) ? argument : [];
    switch (name) {
      case 'Ref':
        return this.reference(String(argument), where);
      case 'Fn::GetAtt':
        return this.#attribute(String(items[0]), String(items[1]), where);
      case 'Fn::Join':
        return this.#list(items[1], where)
          .map((part) => this.#text(part, where))
          .join(String(items[0]));
      case 'Fn::Split':
        return this.#text(items[1], where).split(String(items[0]));
      case 'Fn::Select':
        return this.#list(items[1], where)[Number(items[0])];
      case 'Fn::GetStackOutput': {
        const { StackName, OutputName } = toRecord(argument);
        return this.#output(this.#text(StackName, where), this.#text(OutputName, where), where);
      }
      default:
        throw new StartError(`${where}: ${name} is not supported`);
    }
  }

  #text(value: unknown, where: string): string {
    const resolved = this.resolve(value, where);
    if (typeof resolved === 'string' || typeof resolved === 'number') return String(resolved);
    throw new StartError(`${where}: text was expected, not ${JSON.stringify(resolved)}`);
  }

  #list(value: unknown, where: string): readonly unknown[] {
    const resolved = this.resolve(value, where);
    if (Array.isArray(resolved)) return resolved;
    throw new StartError(`${where}: a list was expected, not ${JSON.stringify(resolved)}`);
  }

  #attribute(id: string, attribute: string, where: string): string {
    const name = this.reference(id, where);
    if (attribute !== 'Arn') return `${name}.${attribute}`;
    const type = String(this.resources[id]?.Type);
    const prefix = ARN_PREFIXES[type] ?? `${type.split('::')[1]?.toLowerCase()}:::`;
    return `arn:aws:${prefix}${name}`;
  }

  #output(stackName: string, outputName: string, where: string): unknown {
    const stack = this.stacks.get(stackName);
    const output = stack?.outputs[outputName];
    if (output === undefined)
      throw new StartError(`${where}: the stack ${stackName} has no output ${outputName}`);
    return stack?.resolve(output.Value, where);
  }
}

export interface TemplateResource {
  /** Stack and logical id. */
  readonly place: string;
  /** The result of `Ref`. */
  readonly name: string;
  readonly properties: unknown;
  /** Absolute path of the asset with its code, where it has one. */
  readonly assetFolder: string | undefined;
}

function readJson(path: string): Json {
  try {
    return toRecord(JSON.parse(readFileSync(path, 'utf8')));
  } catch (thrown) {
    throw new StartError(`the cloud assembly cannot be read: ${path}: ${errorText(thrown)}`);
  }
}

export class Template {
  readonly #stacks = new Map<string, Stack>();
  readonly #directory: string;

  /** Reads the stacks of the assembly in `directory`; throws `StartError` when there are none to read. */
  constructor(directory: string) {
    this.#directory = directory;
    const artifacts = toRecords(readJson(join(directory, 'manifest.json')).artifacts);
    for (const [name, { type, properties }] of Object.entries(artifacts)) {
      if (type !== 'aws:cloudformation:stack') continue;
      const template = readJson(join(directory, String(toRecord(properties).templateFile)));
      this.#stacks.set(name, new Stack(name, template, this.#stacks));
    }
    if (this.#stacks.size === 0) throw new StartError(`the cloud assembly ${directory} has no stack`);
  }

  /** Place and type of every resource; nothing is resolved. */
  types(): { readonly place: string; readonly type: string }[] {
    return [...this.#stacks.values()].flatMap(({ name, resources }) =>
      Object.entries(resources).map(([id, { Type }]) => ({ place: `${name}/${id}`, type: String(Type) })),
    );
  }

  /** Resources of one type with a `wanted` name, without the `ignored` properties. Throws `StartError` at a dangling reference. */
  resources(
    type: string,
    ignored: readonly string[],
    wanted: (name: string) => boolean = () => true,
  ): TemplateResource[] {
    return [...this.#stacks.values()].flatMap((stack) =>
      Object.entries(stack.resources).flatMap(([id, resource]) => {
        if (resource.Type !== type) return [];
        const place = `${stack.name}/${id}`;
        const name = stack.reference(id, place);
        if (!wanted(name)) return [];
        if (resource.Condition !== undefined)
          throw new StartError(`${place} (${type}): property Condition is not supported`);
        const asset = toRecord(resource.Metadata)['aws:asset:path'];
        const assetFolder = typeof asset === 'string' ? resolve(this.#directory, asset) : undefined;
        const read = Object.entries(toRecord(resource.Properties)).filter(([key]) => !ignored.includes(key));
        const properties = stack.resolve(Object.fromEntries(read), place);
        return [{ place, name, properties, assetFolder }];
      }),
    );
  }
}
