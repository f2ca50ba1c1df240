import type { Scope } from './scope.ts';

/** The labels of a routine, by the body in braces that they stand in. */
export class Labels {
  readonly #byScope = new Map<Scope, Map<string, number>>();

  /** Puts a label before an instruction. False when the body has it already. */
  place(name: string, scope: Scope, at: number): boolean {
    const here = this.#byScope.get(scope) ?? new Map<string, number>();
    this.#byScope.set(scope, here);
    if (here.has(name)) return false;
    here.set(name, at);
    return true;
  }

  /** Where a label leads that is named in a body: that of the innermost body around. */
  find(name: string, from: Scope): number | undefined {
    for (let scope: Scope | null = from; scope !== null; scope = scope.parent) {
      const found = this.#byScope.get(scope)?.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** True when a label stands before this instruction. */
  stands(at: number): boolean {
    return [...this.#byScope.values()].some((one) => [...one.values()].includes(at));
  }

  get names(): readonly string[] {
    return [...this.#byScope.values()].flatMap((one) => [...one.keys()]);
  }
}
