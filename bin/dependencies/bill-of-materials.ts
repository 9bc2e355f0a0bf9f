/** The bill of materials in CycloneDX 1.5, from the lock file: equal lock files give equal bills. */
import { createHash } from 'node:crypto';
import type { LockedPackage } from './lock-file.ts';

const SPEC_VERSION = '1.5';
const SCOPES = { production: 'required', optional: 'optional', development: 'excluded' } as const;
/** Several places of one package count by the strongest use. */
const STRENGTH: readonly LockedPackage['use'][] = ['development', 'optional', 'production'];

/** Package URL, which is also the reference of a component. */
const packageUrl = ({ name, version }: Pick<LockedPackage, 'name' | 'version'>): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

const licencesOf = (licence: string | undefined): object =>
  licence === undefined
    ? {}
    : { licenses: [/[\s()]/.test(licence) ? { expression: licence } : { license: { id: licence } }] };

const hashesOf = (integrity: string | undefined): object => {
  const digest = /^sha512-(\S+)/.exec(integrity ?? '')?.[1];
  return digest === undefined
    ? {}
    : { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] };
};

/** A UUID derived from the text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** The document; its root is the package whose path is empty. Throws without one. */
export function billOfMaterials(packages: readonly LockedPackage[]): object {
  const root = packages.find(({ path }) => path === '');
  if (root === undefined) throw new Error('the lock file has no project');
  const byPath = new Map(packages.map((one) => [one.path, one]));
  const byUrl = new Map<string, LockedPackage[]>();
  for (const one of packages) byUrl.set(packageUrl(one), [...(byUrl.get(packageUrl(one)) ?? []), one]);
  const urls = [...byUrl.keys()].sort();

  const components = urls.flatMap((url) => {
    const [first, ...others] = byUrl.get(url) ?? [];
    if (first === undefined || first === root) return [];
    const use =
      STRENGTH.findLast((one) => [first, ...others].some((place) => place.use === one)) ?? first.use;
    const [, group, name = first.name] = /^(@[^/]+)\/(.+)$/.exec(first.name) ?? [];
    return [
      {
        type: 'library',
        'bom-ref': url,
        ...(group === undefined ? {} : { group }),
        name,
        version: first.version,
        scope: SCOPES[use],
        ...hashesOf(first.integrity),
        ...licencesOf(first.licence),
        purl: url,
      },
    ];
  });
  const dependencies = urls.map((ref) => {
    const paths = (byUrl.get(ref) ?? []).flatMap(({ dependsOn }) => dependsOn);
    const targets = paths.map((path) => byPath.get(path)).filter((one) => one !== undefined);
    return { ref, dependsOn: [...new Set(targets.map(packageUrl))].sort() };
  });
  return {
    bomFormat: 'CycloneDX',
    specVersion: SPEC_VERSION,
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(packages))}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': packageUrl(root),
        name: root.name,
        version: root.version,
        purl: packageUrl(root),
      },
    },
    components,
    dependencies,
  };
}
