import { parameterWindow } from './address-space.ts';
import type { Surroundings } from './flat-code.ts';
import type { PtxError, PtxSource } from './ptx-error.ts';
import type { RegisterFile } from './register-file.ts';
import type { Register, ResolvedOperand } from './resolved.ts';
import type { Scope } from './scope.ts';
import { specialRegisters, typeOfSpecial } from './special-registers.ts';
import type { Name, Operand, Place } from './syntax.ts';

/** The scope around all others. */
export const outermost = (scope: Scope): Scope => (scope.parent === null ? scope : outermost(scope.parent));

/** The name that an operand is; empty for others. */
export const nameOf = (operand: Operand): string => (operand.kind === 'name' ? operand.name : '');

/** Finds what the names in operands stand for. Errors: E-PTX. */
export class OperandNames {
  readonly #source: PtxSource;
  readonly #routines: Surroundings['routines'];
  readonly #registers: RegisterFile;

  constructor({ source, routines }: Surroundings, registers: RegisterFile) {
    this.#source = source;
    this.#routines = routines;
    this.#registers = registers;
  }

  /** A name that only a kernel has that launches another. */
  fromKernel(name: string, at: Place): PtxError {
    return this.#source.error(
      at,
      `found "${name}", which a kernel needs to launch another, expected launches by the host`,
      'dynamic parallelism (cudaLaunchDevice) is not carried out: launch the kernel from the host',
    );
  }

  /** The predicate that guards an instruction. */
  guard(name: string, scope: Scope, at: Place): Register {
    const found = this.operand({ kind: 'name', name }, scope, at);
    if (found.kind === 'register' && found.register.type === 'pred') return found.register;
    throw this.#source.error(
      at,
      `found the guard "${name}", expected a predicate`,
      'guard with a register of .pred',
    );
  }

  /** An operand with its names resolved. */
  operand(operand: Operand, scope: Scope, at: Place): ResolvedOperand {
    switch (operand.kind) {
      case 'whole':
      case 'real':
        return operand;
      case 'name': {
        if (operand.name === '_') return { kind: 'sink' };
        const { offset = 0 } = operand;
        const [, whole, part] = /^(.*)\.([bh]\d+)$/.exec(operand.name) ?? [];
        const meaning = this.#find(whole ?? operand.name, scope, at);
        if (part !== undefined && meaning.kind === 'register' && offset === 0)
          return { kind: 'part', register: meaning.register, part };
        if (meaning.kind === 'register' && offset === 0) return meaning;
        if (meaning.kind === 'register')
          throw this.#source.error(
            at,
            `found "${operand.name}" with a number added, expected that of a variable`,
            'add in an instruction of its own',
          );
        return {
          kind: 'symbol',
          space: meaning.space === 'frame' ? 'local' : meaning.space,
          address: meaning.address + offset + (meaning.space === 'param' ? parameterWindow : 0),
          ...(meaning.framed && { framed: true }),
        };
      }
      case 'negated': {
        const meaning = this.#find(operand.name, scope, at);
        if (meaning.kind === 'register') return { kind: 'negated', register: meaning.register };
        throw this.#source.error(
          at,
          `found "!${operand.name}", expected a predicate`,
          'negate registers of .pred only',
        );
      }
      case 'opposite': {
        const of = this.operand({ kind: 'name', name: operand.name }, scope, at);
        if (of.kind === 'register' || of.kind === 'part') return { kind: 'opposite', of };
        throw this.#source.error(at, `found "-${operand.name}", expected a register`, 'subtract instead');
      }
      case 'address': {
        const { base, offset } = operand;
        if (base === null) return { kind: 'memory', base: null, space: null, offset };
        const meaning = this.#find(base, scope, at);
        if (meaning.kind === 'register')
          return { kind: 'memory', base: meaning.register, space: null, offset };
        return {
          kind: 'memory',
          base: null,
          space: meaning.space,
          offset: meaning.address + offset,
          ...(meaning.framed && { framed: true }),
        };
      }
      case 'texel': {
        const { texture, sampler, coordinates } = operand;
        return {
          kind: 'texel',
          texture: this.#handle(texture, scope, at),
          sampler: sampler && this.#handle(sampler, scope, at),
          coordinates: coordinates.map((one) => this.operand(one, scope, at)),
        };
      }
      case 'vector':
      case 'list':
        // A constant in parentheses.
        if (operand.kind === 'list' && operand.parts.length === 1)
          return this.operand(operand.parts[0]!, scope, at);
        return { kind: 'vector', parts: operand.parts.map((one) => this.operand(one, scope, at)) };
      case 'pair':
        return {
          kind: 'pair',
          first: this.operand(operand.first, scope, at),
          second: this.operand(operand.second, scope, at),
        };
    }
  }

  /** A texture, surface or sampler: a variable that is none cannot stand for one. */
  #handle(operand: Name, scope: Scope, at: Place): ResolvedOperand {
    const meaning = this.#find(operand.name, scope, at);
    if (meaning.kind === 'variable' && meaning.space !== 'param' && meaning.opaque !== true)
      throw this.#source.error(
        at,
        `found the variable "${operand.name}", expected a .texref, .surfref or .samplerref, or a register with a handle`,
        'declare it as such, or load the handle into a register',
      );
    return this.operand(operand, scope, at);
  }

  #find(name: string, scope: Scope, at: Place) {
    const meaning = scope.find(name);
    if (meaning) return meaning;
    if (specialRegisters.includes(name)) {
      const register = this.#registers.place(name, typeOfSpecial(name), true);
      const known = { kind: 'register', register } as const;
      outermost(scope).declare(name, known);
      return known;
    }
    if (this.#routines.get(name)?.entry) throw this.fromKernel(name, at);
    throw this.#source.error(
      at,
      `found the name "${name}", expected a declared one`,
      'declare it, or correct it',
      {
        found: name,
        known: [...scope.known, ...specialRegisters],
        of: 'names',
      },
    );
  }
}
