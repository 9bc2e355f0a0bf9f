/** The key commands, on any control plane: make, list, disable, enable, move and rotate keys. */

import {
  type AdministeredKey,
  type AdministeredPlan,
  belongsTo,
  type KeyAdministration,
} from '../../core/keys/administration.ts';
import {
  digestPrefix,
  KEY_PREFIXES,
  type KeyKind,
  keyDigest,
  mintKey,
  readGatewayValue,
} from '../../core/keys/key.ts';
import type { ExpectedKey } from '../../lambdas/key-sync/key-sync.ts';

/** Applies the changes so far to the key table. Throws when that fails, or when the table then lacks `expected`. */
export type Synchronize = (expected?: ExpectedKey) => Promise<void>;

export interface KeyCommandDependencies {
  readonly administration: KeyAdministration;
  readonly stage: string;
  readonly kind: KeyKind;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly synchronize: Synchronize;
}

/** The command cannot be carried out; the message is one line with the reason and the alternatives. */
export class KeyCommandError extends Error {
  override readonly name = 'KeyCommandError';
}

/** The first line of what was thrown. */
export const firstLine = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).split('\n', 1)[0] ?? '';

/** A new key. Its secret is stored nowhere and must be shown now. */
export interface IssuedKey {
  readonly id: string;
  readonly name: string;
  readonly plan?: AdministeredPlan;
  readonly secret: string;
}

/** A key in the list: never its secret or its whole digest. */
export interface ListedKey {
  readonly id: string;
  readonly name: string;
  readonly plan?: AdministeredPlan;
  readonly enabled: boolean;
  readonly created?: string;
  /** First digits of the digest, by which log lines name the key; absent where the key's value has no secret. */
  readonly digestPrefix?: string;
}

export interface KeyCommands {
  create(name: string, plan: string): Promise<IssuedKey>;
  list(): Promise<ListedKey[]>;
  setEnabled(keyId: string, enabled: boolean): Promise<ListedKey>;
  move(keyId: string, plan: string): Promise<ListedKey>;
  /** A new key that replaces an old one, which continues to work unless it is revoked; once for each key. */
  rotate(keyId: string, revoke: boolean): Promise<IssuedKey>;
}

/** In the name of a rotated key: the id of its replacement. */
const SUCCESSOR = / \(replaced by (\S+)\)$/;

const planLabel = ({ tier, name }: AdministeredPlan): string =>
  tier === undefined ? name : `${tier} (${name})`;

export function createKeyCommands(dependencies: KeyCommandDependencies): KeyCommands {
  const { administration, stage, kind, randomBytes, synchronize } = dependencies;

  async function planByKey(): Promise<Map<string, AdministeredPlan>> {
    const byKey = new Map<string, AdministeredPlan>();
    for (const plan of await administration.plans()) {
      for (const keyId of await administration.keyIdsOf(plan.id)) byKey.set(keyId, plan);
    }
    return byKey;
  }

  /** The keys of this stage of this API, and the plan of each. Keys of other APIs in the account are never touched. */
  async function ownKeys() {
    const plans = await planByKey();
    const keys = (await administration.keys()).filter((key) => belongsTo(stage, key, plans));
    return { keys, plans };
  }

  async function ownKey(keyId: string) {
    const { keys, plans } = await ownKeys();
    const key = keys.find(({ id }) => id === keyId);
    if (key === undefined)
      throw new KeyCommandError(`there is no key ${keyId} on ${stage}: see the list command`);
    return { key, plan: plans.get(keyId) };
  }

  /** A plan by its id, its tier or its name. */
  async function toPlan(given: string): Promise<AdministeredPlan> {
    const plans = await administration.plans();
    const byId = plans.find(({ id }) => id === given);
    const found = byId ? [byId] : plans.filter(({ tier, name }) => tier === given || name === given);
    const [plan, rival] = found;
    if (plan === undefined) {
      const labels = plans.map(planLabel).join(', ');
      throw new KeyCommandError(`there is no plan ${given} on ${stage}; there are: ${labels || 'none'}`);
    }
    if (rival !== undefined) {
      const choices = found.map(({ id, name }) => `${id} (${name})`).join(', ');
      throw new KeyCommandError(`several plans are called ${given}, name one by its id: ${choices}`);
    }
    return plan;
  }

  /**
   * Creates a key on `plan` and returns it once the key table has it: nobody has the secret before, so no refusal of it can
   * have been cached. A key that does not reach the table is deleted again.
   */
  async function issue(name: string, plan: AdministeredPlan): Promise<IssuedKey> {
    const secret = mintKey(kind, randomBytes);
    const id = await administration.create({ name, digest: keyDigest(secret), stage });
    try {
      await administration.addToPlan(id, plan.id);
      await synchronize({ keyId: id, planId: plan.id }).catch((thrown) => {
        const why = firstLine(thrown);
        throw new KeyCommandError(`no key is made: it does not reach the service (${why}); try again`);
      });
    } catch (error) {
      await administration.delete(id);
      throw error;
    }
    return { id, name, secret, plan };
  }

  const listed = (key: AdministeredKey, plan: AdministeredPlan | undefined): ListedKey => {
    const { id, name, enabled, created } = key;
    const held = readGatewayValue(key.value, KEY_PREFIXES[kind]);
    return { id, name, enabled, plan, created, digestPrefix: held && digestPrefix(held.digest) };
  };

  return {
    async create(name, planName) {
      const plan = await toPlan(planName);
      const rival = (await ownKeys()).keys.find((key) => key.name === name);
      if (rival !== undefined)
        throw new KeyCommandError(`there is a key named ${name} on ${stage} already: ${rival.id}`);
      return issue(name, plan);
    },

    async list() {
      const { keys, plans } = await ownKeys();
      return keys
        .map((key) => listed(key, plans.get(key.id)))
        .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1));
    },

    async setEnabled(keyId, enabled) {
      const { key, plan } = await ownKey(keyId);
      await administration.setEnabled(keyId, enabled);
      return listed({ ...key, enabled }, plan);
    },

    async move(keyId, planName) {
      const { key, plan: before } = await ownKey(keyId);
      const plan = await toPlan(planName);
      if (before?.id === plan.id) throw new KeyCommandError(`${key.name} is on ${planLabel(plan)} already`);
      if (before !== undefined) await administration.removeFromPlan(keyId, before.id);
      try {
        await administration.addToPlan(keyId, plan.id);
      } catch (error) {
        if (before !== undefined) await administration.addToPlan(keyId, before.id);
        throw error;
      }
      return listed(key, plan);
    },

    async rotate(keyId, revoke) {
      const { key: old, plan } = await ownKey(keyId);
      const successor = SUCCESSOR.exec(old.name)?.[1];
      if (successor !== undefined)
        throw new KeyCommandError(`${keyId} was replaced by ${successor} already: rotate that one`);
      if (plan === undefined)
        throw new KeyCommandError(
          `${keyId} is on no plan, so its replacement would be refused too: move it to one`,
        );
      const fresh = await issue(old.name, plan);
      try {
        if (revoke) await administration.setEnabled(keyId, false);
        await administration.rename(keyId, `${old.name} (replaced by ${fresh.id})`);
      } catch (error) {
        await administration.delete(fresh.id);
        throw error;
      }
      return fresh;
    },
  };
}
