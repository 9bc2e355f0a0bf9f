/** Reads the stacks of a synthesized cloud assembly and returns their resources with references resolved. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorText, StartError } from '../start-error.ts';

// Resolves CloudFormation's intrinsic functions among the stacks of one assembly.

/** The account and the region on one machine. */
export const LOCAL_REGION = 'local';
export const LOCAL_ACCOUNT = '000000000000';

type Json = Readonly<Record<string, unknown>>;

interface Stack {
  readonly name: string;
  readonly resources: Readonly<Record<string, Json>>;
  readonly parameters: Readonly<Record<string, Json>>;
  readonly outputs: Readonly<Record<string, Json>>;
}

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const toRecord = (value: unknown): Json => (isRecord(value) ? value : {});

/** Properties with the resource name that `Ref` returns. */
const NAMES: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::ApiGateway::Stage': 'StageName',
};

/** ARN forms of the resources that others refer to. */
const ARN_PREFIXES: Readonly<Record<string, string>> = {
  'AWS::Lambda::Function': `lambda:${LOCAL_REGION}:${LOCAL_ACCOUNT}:function:`,
  'AWS::DynamoDB::Table': `dynamodb:${LOCAL_REGION}:${LOCAL_ACCOUNT}:table/`,
  'AWS::DynamoDB::GlobalTable': `dynamodb:${LOCAL_REGION}:${LOCAL_ACCOUNT}:table/`,
  'AWS::SQS::Queue': `sqs:${LOCAL_REGION}:${LOCAL_ACCOUNT}:`,
};

const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::Region': LOCAL_REGION,
  'AWS::AccountId': LOCAL_ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'localhost',
};

/** Resolves values of one stack; `where` is the place in the template for error messages. */
class Intrinsics {
  readonly #stack: Stack;
  readonly #stacks: readonly Stack[];

  constructor(stack: Stack, stacks: readonly Stack[]) {
    this.#stack = stack;
    this.#stacks = stacks;
  }

  /** `value` with all references resolved; `AWS::NoValue` removes its property. Throws `StartError`. */
  resolve(value: unknown, where: string): unknown {
    if (Array.isArray(value)) return value.map((item, index) => this.resolve(item, `${where}.${index}`));
    if (!isRecord(value)) return value;
    const entries = Object.entries(value);
    const [name = '', argument] = entries[0] ?? [];
    if (entries.length === 1 && (name === 'Ref' || name.startsWith('Fn::')))
      return this.#call(name, argument, where);
    const resolved = entries.map(([key, inner]) => [key, this.resolve(inner, `${where}.${key}`)]);
    return Object.fromEntries(resolved.filter(([, inner]) => inner !== undefined));
  }

  /** The result of `Ref`: the declared name, else one made of stack and logical id. */
  reference(id: string, where: string): string | undefined {
    if (id === 'AWS::NoValue') return undefined;
    if (id === 'AWS::StackName') return this.#stack.name;
    const pseudo = PSEUDO_PARAMETERS[id];
    if (pseudo !== undefined) return pseudo;
    const parameter = this.#stack.parameters[id];
    if (parameter?.Default !== undefined) return String(parameter.Default);
    const resource = this.#stack.resources[id];
    if (!resource) throw new StartError(`${where}: Ref names ${id}, which the stack does not have`);
    const named = toRecord(resource.Properties)[NAMES[String(resource.Type)] ?? ''];
    return named === undefined ? `${this.#stack.name}-${id}` : this.#text(named, where);
  }

  #call(name: string, argument: unknown, where: string): unknown {
    const items: readonly unknown[] = Array.isArray(argument) ? argument : [];
    switch (name) {
      case 'Ref':
        return this.reference(String(argument), where);
      case 'Fn::GetAtt': {
        const [id = '', attribute = ''] =
          typeof argument === 'string' ? argument.split('.') : items.map(String);
        return this.#attribute(id, attribute, where);
      }
      case 'Fn::Join':
        return this.#list(items[1], where)
          .map((part) => this.#text(part, where))
          .join(String(items[0]));
      case 'Fn::Split':
        return this.#text(items[1], where).split(String(items[0]));
      case 'Fn::Select':
        return this.#list(items[1], where)[Number(items[0])];
      case 'Fn::Sub':
        return this.#substitute(argument, where);
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
    const name = this.reference(id, where) ?? '';
    if (attribute !== 'Arn') return `${name}.${attribute}`;
    const type = String(this.#stack.resources[id]?.Type);
    const prefix = ARN_PREFIXES[type] ?? `${type.split('::')[1]?.toLowerCase()}:::`;
    return `arn:aws:${prefix}${name}`;
  }

  #substitute(argument: unknown, where: string): string {
    const [text, given] = Array.isArray(argument) ? argument : [argument, {}];
    const values = toRecord(given);
    return String(text).replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (name in values) return this.#text(values[name], where);
      const [id = '', attribute] = name.split('.');
      return (
        (attribute === undefined ? this.reference(id, where) : this.#attribute(id, attribute, where)) ?? ''
      );
    });
  }

  #output(stackName: string, outputName: string, where: string): unknown {
    const stack = this.#stacks.find(({ name }) => name === stackName);
    const output = stack?.outputs[outputName];
    if (stack === undefined || output === undefined)
      throw new StartError(`${where}: the stack ${stackName} has no output ${outputName}`);
    return new Intrinsics(stack, this.#stacks).resolve(output.Value, where);
  }
}

export interface TemplateResource {
  readonly stack: string;
  readonly id: string;
  /** The result of `Ref`. */
  readonly name: string;
  readonly properties: unknown;
  /** Absolute path of the asset with its code, where it has one. */
  readonly assetFolder: string | undefined;
}

const toRecords = (value: unknown): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(toRecord(value)).map(([key, inner]) => [key, toRecord(inner)]));

function readJson(path: string): Json {
  try {
    return toRecord(JSON.parse(readFileSync(path, 'utf8')));
  } catch (thrown) {
    throw new StartError(`the cloud assembly cannot be read: ${path}: ${errorText(thrown)}`);
  }
}

export class Template {
  readonly #stacks: readonly Stack[];
  readonly #directory: string;

  private constructor(directory: string, stacks: readonly Stack[]) {
    this.#directory = directory;
    this.#stacks = stacks;
  }

  /** The stacks of the assembly in `directory`; throws `StartError` when there are none to read. */
  static load(directory: string): Template {
    const artifacts = toRecords(readJson(join(directory, 'manifest.json')).artifacts);
    const stacks = Object.entries(artifacts)
      .filter(([, artifact]) => artifact.type === 'aws:cloudformation:stack')
      .map(([name, artifact]): Stack => {
        const template = readJson(join(directory, String(toRecord(artifact.properties).templateFile)));
        return {
          name,
          resources: toRecords(template.Resources),
          parameters: toRecords(template.Parameters),
          outputs: toRecords(template.Outputs),
        };
      });
    if (stacks.length === 0) throw new StartError(`the cloud assembly ${directory} has no stack`);
    return new Template(directory, stacks);
  }

  /** Place and type of every resource; nothing is resolved. */
  types(): { readonly place: string; readonly type: string }[] {
    return this.#stacks.flatMap(({ name, resources }) =>
      Object.entries(resources).map(([id, { Type }]) => ({ place: `${name}/${id}`, type: String(Type) })),
    );
  }

  /** Resources of one type whose names `wanted` accepts. Throws `StartError` at a dangling reference. */
  resources(type: string, wanted: (name: string) => boolean = () => true): TemplateResource[] {
    return this.#stacks.flatMap((stack) => {
      const intrinsics = new Intrinsics(stack, this.#stacks);
      return Object.entries(stack.resources).flatMap(([id, resource]) => {
        if (resource.Type !== type) return [];
        const place = `${stack.name}/${id}`;
        const name = intrinsics.reference(id, place) ?? '';
        if (!wanted(name)) return [];
        if (resource.Condition !== undefined)
          throw new StartError(`${place} (${type}): property Condition is not supported`);
        const asset = toRecord(resource.Metadata)['aws:asset:path'];
        const assetFolder = typeof asset === 'string' ? resolve(this.#directory, asset) : undefined;
        const properties = intrinsics.resolve(resource.Properties ?? {}, place);
        return [{ stack: stack.name, id, name, properties, assetFolder }];
      });
    });
  }
}
