/** Reads a template's resources by their supported properties, and refuses any other property by name. */
import type * as z from 'zod';
import { StartError } from '../start-error.ts';
import { IGNORED_TYPES, SHAPES } from './resource-shapes.ts';
import type { Template, TemplateResource } from './template.ts';

type SupportedType = keyof typeof SHAPES;

/** A resource with the properties that are read. */
interface SupportedResource<T extends SupportedType> extends TemplateResource {
  readonly properties: z.output<(typeof SHAPES)[T]['read']>;
}

/** Resources of a type by their shape; throws `StartError` naming the first unsupported property. */
export function supportedResources<T extends SupportedType>(
  template: Template,
  type: T,
  wanted?: (name: string) => boolean,
): SupportedResource<T>[] {
  const { read, ignored } = SHAPES[type];
  return template.resources(type, ignored, wanted).map((found) => {
    const result = (read as z.ZodType).safeParse(found.properties);
    if (result.success) return { ...found, properties: result.data as SupportedResource<T>['properties'] };
    const [issue] = result.error.issues;
    const inner = issue?.code === 'unrecognized_keys' ? [issue.keys[0]] : [];
    const property = [...(issue?.path ?? []), ...inner].join('.');
    throw new StartError(
      `${found.place} (${type}): property ${property} is not supported: ${issue?.message}`,
    );
  });
}

/** Throws `StartError` when the template has a resource of an unsupported type. */
export function refuseUnknownTypes(template: Template): void {
  for (const { place, type } of template.types()) {
    if (type in SHAPES || IGNORED_TYPES.some((ignored) => ignored.test(type))) continue;
    throw new StartError(`${place}: resources of type ${type} are not supported`);
  }
}
