/** Reads the stacks of a synthesized cloud assembly and returns their resources with references resolved. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorText, StartError } from '../start-error.ts';
import { Intrinsics, type Json, recordOf, type Stack } from './intrinsics.ts';

export interface TemplateResource {
  readonly stack: string;
  readonly id: string;
  /** The result of `Ref`. */
  readonly name: string;
  readonly properties: unknown;
  /** Absolute path of the asset with its code, where it has one. */
  readonly assetFolder: string | undefined;
}

const recordsOf = (value: unknown): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(recordOf(value)).map(([key, inner]) => [key, recordOf(inner)]));

function readJson(path: string): Json {
  try {
    return recordOf(JSON.parse(readFileSync(path, 'utf8')));
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
    const artifacts = recordsOf(readJson(join(directory, 'manifest.json')).artifacts);
    const stacks = Object.entries(artifacts)
      .filter(([, artifact]) => artifact.type === 'aws:cloudformation:stack')
      .map(([name, artifact]): Stack => {
        const template = readJson(join(directory, String(recordOf(artifact.properties).templateFile)));
        return {
          name,
          resources: recordsOf(template.Resources),
          parameters: recordsOf(template.Parameters),
          outputs: recordsOf(template.Outputs),
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
        const asset = recordOf(resource.Metadata)['aws:asset:path'];
        const assetFolder = typeof asset === 'string' ? resolve(this.#directory, asset) : undefined;
        const properties = intrinsics.resolve(resource.Properties ?? {}, place);
        return [{ stack: stack.name, id, name, properties, assetFolder }];
      });
    });
  }
}
