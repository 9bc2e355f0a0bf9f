/** The key commands, on any control plane: make, list, disable, enable, move and rotate keys. */
import { randomBytes } from 'node:crypto';
import {
  type AdministeredKey,
  type AdministeredPlan,
  belongsTo,
  type KeyAdministration,
} from '../../core/keys/administration.ts';
import { type KeyKind, keyDigest, mintKey } from '../../core/keys/key.ts';
import type { ExpectedKey } from '../../lambdas/key-sync/key-sync.ts';
import { StartError } from '../../local/start-error.ts';

/** Where keys are administered: a deployed stage, or the service on this machine. */
export interface KeyStage {
  /** Its name, with which its keys are tagged. */
  readonly stage: string;
  readonly kind: KeyKind;
  readonly administration: KeyAdministration;
  /** Applies the changes so far to the key table. Throws when that fails, or when the table then lacks `expected`. */
  readonly synchronize: (expected?: ExpectedKey) => Promise<unknown>;
}

export const firstLine = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).split('\n', 1)[0] ?? '';

/** A key of the stage, and its plan; undefined where it is on none. */
export interface OwnKey {
  readonly key: AdministeredKey;
  readonly plan: AdministeredPlan | undefined;
}

/** A new key. Its secret is stored nowhere and must be shown now. */
export interface IssuedKey {
  readonly id: string;
  readonly name: string;
  readonly plan: AdministeredPlan;
  readonly secret: string;
}

/** In the name of a rotated key: the id of its replacement. */
const SUCCESSOR = / \(replaced by (\S+)\)$/;

const planLabel = ({ tier, name }: AdministeredPlan): string =>
  tier === undefined ? name : `${tier} (${name})`;

export function createKeyCommands({ administration, stage, kind, synchronize }: KeyStage) {
  /** The keys of this stage of this API. Keys of other APIs in the account are never touched. */
  async function ownKeys(): Promise<OwnKey[]> {
    const plans = new Map<string, AdministeredPlan>();
    for (const plan of await administration.plans())
      for (const keyId of await administration.keyIdsOf(plan.id)) plans.set(keyId, plan);
    const keys = (await administration.keys()).filter((key) => belongsTo(stage, key, plans));
    return keys.map((key) => ({ key, plan: plans.get(key.id) }));
  }

  async function ownKey(keyId: string): Promise<OwnKey> {
    const found = (await ownKeys()).find(({ key }) => key.id === keyId);
    if (found === undefined)
      throw new StartError(`there is no key ${keyId} on ${stage}: see the list command`);
    return found;
  }

  /** A plan by its id, its tier or its name. */
  async function toPlan(given: string): Promise<AdministeredPlan> {
    const plans = await administration.plans();
    const byId = plans.find(({ id }) => id === given);
    const found = byId ? [byId] : plans.filter(({ tier, name }) => tier === given || name === given);
    const [plan, rival] = found;
    if (plan === undefined) {
      const labels = plans.map(planLabel).join(', ');
      throw new StartError(`there is no plan ${given} on ${stage}; there are: ${labels || 'none'}`);
    }
    if (rival !== undefined) {
      const choices = found.map(({ id, name }) => `${id} (${name})`).join(', ');
      throw new StartError(`several plans are called ${given}, name one by its id: ${choices}`);
    }
    return plan;
  }

  /**
   * Creates a key on `plan` and returns it once the key table has it. The secret is not known to anyone before, so no refusal of it can have been
   * cached. A key that does not reach the table is deleted again.
   */
  async function issue(name: string, plan: AdministeredPlan): Promise<IssuedKey> {
    const secret = mintKey(kind, randomBytes);
    const id = await administration.create({ name, digest: keyDigest(secret), stage });
    try {
      await administration.addToPlan(id, plan.id);
      await synchronize({ keyId: id, planId: plan.id }).catch((thrown) => {
        const why = firstLine(thrown);
        throw new StartError(`no key is made: it does not reach the service (${why}); try again`);
      });
    } catch (error) {
      await administration.delete(id);
      throw error;
    }
    return { id, name, secret, plan };
  }

  return {
    async create(name: string, planName: string): Promise<IssuedKey> {
      const plan = await toPlan(planName);
      const rival = (await ownKeys()).find(({ key }) => key.name === name);
      if (rival !== undefined)
        throw new StartError(`there is a key named ${name} on ${stage} already: ${rival.key.id}`);
      return issue(name, plan);
    },

    async list(): Promise<OwnKey[]> {
      const keys = await ownKeys();
      return keys.sort(
        ({ key: a }, { key: b }) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1),
      );
    },

    async setEnabled(keyId: string, enabled: boolean): Promise<OwnKey> {
      const { key, plan } = await ownKey(keyId);
      await administration.setEnabled(keyId, enabled);
      return { key: { ...key, enabled }, plan };
    },

    async move(keyId: string, planName: string): Promise<OwnKey> {
      const { key, plan: before } = await ownKey(keyId);
      const plan = await toPlan(planName);
      if (before?.id === plan.id) throw new StartError(`${key.name} is on ${planLabel(plan)} already`);
      if (before !== undefined) await administration.removeFromPlan(keyId, before.id);
      try {
        await administration.addToPlan(keyId, plan.id);
      } catch (error) {
        if (before !== undefined) await administration.addToPlan(keyId, before.id);
        throw error;
      }
      return { key, plan };
    },

    /** A new key that replaces an old one, which continues to work unless it is revoked; once for each key. */
    async rotate(keyId: string, revoke: boolean): Promise<IssuedKey> {
      const { key: old, plan } = await ownKey(keyId);
      const successor = SUCCESSOR.exec(old.name)?.[1];
      if (successor !== undefined)
        throw new StartError(`${keyId} was replaced by ${successor} already: rotate that one`);
      if (plan === undefined)
        throw new StartError(
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
