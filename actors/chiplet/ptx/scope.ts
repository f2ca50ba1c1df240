import type { Register } from './resolved.ts';
import type { Space } from './syntax.ts';
import type { ValueType } from './value-type.ts';

/** What a name stands for. `frame` is a parameter of a call, which lies in local memory. */
export type Meaning =
  | { readonly kind: 'register'; readonly register: Register }
  | {
      readonly kind: 'variable';
      readonly space: Space | 'frame';
      readonly address: number;
      /** True where the address is from the frame of the function at hand. */
      readonly framed?: boolean;
      /** True for a texture, surface or sampler. */
      readonly opaque?: boolean;
    };

/** Makes a register that is seen for the first time. */
export type MakeRegister = (name: string, type: ValueType) => Register;

/** The names of a body and of those around it. */
export class Scope {
  readonly #names = new Map<string, Meaning>();
  /** Single registers, and ranges such as `%r<N>`, that nobody asked for yet. */
  readonly #singles = new Map<string, ValueType>();
  readonly #ranges = new Map<string, { readonly type: ValueType; readonly count: number }>();

  constructor(
    readonly parent: Scope | null,
    readonly make: MakeRegister,
  ) {}

  /** Declares a register or a range of them. False when its name is declared here. */
  declareRegister(name: string, count: number, type: ValueType): boolean {
    if (this.#has(name)) return false;
    if (count < 0) this.#singles.set(name, type);
    else this.#ranges.set(name, { type, count });
    return true;
  }

  /** Declares what a name stands for. False when it is declared here. */
  declare(name: string, meaning: Meaning): boolean {
    if (this.#has(name)) return false;
    this.#names.set(name, meaning);
    return true;
  }

  find(name: string): Meaning | undefined {
    const known = this.#names.get(name);
    if (known) return known;
    const type = this.#singles.get(name) ?? this.#typeInRange(name);
    if (type === undefined) return this.parent?.find(name);
    const meaning: Meaning = { kind: 'register', register: this.make(name, type) };
    this.#names.set(name, meaning);
    return meaning;
  }

  /** All names, for the help of a misspelt one. */
  get known(): readonly string[] {
    const ranges = [...this.#ranges].flatMap(([prefix, { count }]) =>
      Array.from({ length: Math.min(count, 64) }, (_, at) => `${prefix}${at}`),
    );
    return [...this.#names.keys(), ...this.#singles.keys(), ...ranges, ...(this.parent?.known ?? [])];
  }

  #has(name: string): boolean {
    return this.#names.has(name) || this.#singles.has(name) || this.#ranges.has(name);
  }

  #typeInRange(name: string): ValueType | undefined {
    for (let digits = 1; digits < name.length && /\d/.test(name[name.length - digits]!); digits++) {
      const range = this.#ranges.get(name.slice(0, -digits));
      const text = name.slice(-digits);
      if (range && Number(text) < range.count && String(Number(text)) === text) return range.type;
    }
    return undefined;
  }
}
