/** A control plane in memory: keys, plans and memberships that a test can change, listed on request. */
import {
  type AdministeredKey,
  type AdministeredPlan,
  type KeyAdministration,
  KeyAdministrationFailure,
} from '../../core/access/administration.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class ListedKeys implements KeyAdministration {
  readonly keyList: Mutable<AdministeredKey>[] = [];
  readonly planList: Mutable<AdministeredPlan>[] = [];
  readonly planIdOf = new Map<string, string>();
  /** Called before each item of a listing, named `keys`, `plans` or the plan's id; may throw or change things. */
  onListing: (what: string, index: number) => void = () => {};
  #made = 0;

  async keys() {
    return this.#listed('keys', this.keyList);
  }

  async plans() {
    return this.#listed('plans', this.planList);
  }

  async keyIdsOf(planId: string) {
    const ids = [...this.planIdOf].filter(([, plan]) => plan === planId).map(([id]) => id);
    return this.#listed(planId, ids);
  }

  async create({ name, digest, stage }: { name: string; digest: string; stage: string }): Promise<string> {
    if (this.keyList.some(({ value }) => value === digest))
      throw new KeyAdministrationFailure('conflict', 'creating the key: the value is taken');
    this.#made += 1;
    const id = `key-${this.#made}`;
    this.keyList.push({ id, name, value: digest, enabled: true, stage, created: '2026-11-20T12:00:00.000Z' });
    return id;
  }

  async rename(keyId: string, name: string): Promise<void> {
    this.#key(keyId).name = name;
  }

  async setEnabled(keyId: string, enabled: boolean): Promise<void> {
    this.#key(keyId).enabled = enabled;
  }

  async addToPlan(keyId: string, planId: string): Promise<void> {
    if (this.planIdOf.has(keyId))
      throw new KeyAdministrationFailure('conflict', 'putting the key on the plan: it is on one');
    this.planIdOf.set(this.#key(keyId).id, planId);
  }

  async removeFromPlan(keyId: string, planId: string): Promise<void> {
    if (this.planIdOf.get(keyId) !== planId)
      throw new KeyAdministrationFailure('unknown', 'taking the key off its plan: it is not on it');
    this.planIdOf.delete(keyId);
  }

  async delete(keyId: string): Promise<void> {
    this.keyList.splice(this.keyList.indexOf(this.#key(keyId)), 1);
    this.planIdOf.delete(keyId);
  }

  #key(keyId: string): Mutable<AdministeredKey> {
    const key = this.keyList.find(({ id }) => id === keyId);
    if (key === undefined) throw new KeyAdministrationFailure('unknown', `there is no key ${keyId}`);
    return key;
  }

  async #listed<T>(what: string, items: readonly T[]): Promise<T[]> {
    const found = [...items];
    for (const index of found.keys()) this.onListing(what, index);
    return found;
  }
}
