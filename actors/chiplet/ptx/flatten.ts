import { definitionOf, formOf, instructionNames, misfitOf } from './instruction-set.ts';
import type { PtxSource } from './ptx-error.ts';
import type { FlatLine, Register, ResolvedOperand } from './resolved.ts';
import { Scope } from './scope.ts';
import { specialRegisters } from './special-registers.ts';
import type { InstructionLine, Operand, Place, Routine, Statement, Variable } from './syntax.ts';
import { bitsOf, type ValueType } from './value-type.ts';
import { alignmentOf, bytesOfVariable, Layout } from './variables.ts';

/** What a routine may refer to outside itself. */
export interface Surroundings {
  readonly source: PtxSource;
  readonly routines: ReadonlyMap<string, Routine>;
  /** Addresses of variables of `.global` and `.const`. */
  readonly device: ReadonlyMap<string, { readonly space: 'global' | 'const'; readonly address: number }>;
  /** Variables of `.shared` outside of routines. */
  readonly shared: readonly Variable[];
}

/** A parameter of a kernel in its block of parameters. */
export interface ParameterPlace {
  readonly name: string;
  readonly type: ValueType;
  readonly offset: number;
  readonly bytes: number;
}

/** The flat code of a kernel: names are resolved, calls replaced by what they call. */
export interface FlatCode {
  readonly lines: readonly FlatLine[];
  readonly registers: readonly Register[];
  /** Words that the registers of a warp take. */
  readonly registerWords: number;
  readonly parameters: readonly ParameterPlace[];
  readonly parameterBytes: number;
  /** Bytes of shared memory of a block, without what is given at launch. */
  readonly sharedBytes: number;
  /** Bytes of local memory of a thread. */
  readonly localBytes: number;
}

/** Replaces names by what they stand for and calls by the routines that they call (chiplet specification 7.1). */
export function flatten(kernel: Routine, around: Surroundings): FlatCode {
  return new Flattener(around).kernel(kernel);
}

interface Instance {
  readonly routine: Routine;
  readonly labels: Map<string, number>;
  readonly tables: Map<string, readonly string[]>;
  /** Lines that end the call, to be told where it ends. */
  readonly returns: FlatLine[];
  /** Lines with labels that are not placed yet. */
  readonly pending: { readonly line: FlatLine; readonly names: readonly string[]; readonly at: Place }[];
  readonly callers: readonly string[];
}

class Flattener {
  readonly #around: Surroundings;
  readonly #source: PtxSource;
  readonly #lines: FlatLine[] = [];
  readonly #registers: Register[] = [];
  readonly #shared = new Layout();
  readonly #local = new Layout();
  readonly #sharedAt = new Map<Variable, number>();
  #slots = 0;
  /** The next free predicate in words that were taken for predicates. */
  #predicates = 0;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#source = around.source;
  }

  kernel(kernel: Routine): FlatCode {
    const parameters = new Layout();
    const outer = this.#outerScope(kernel);
    const scope = new Scope(outer, this.#make);
    const places = kernel.parameters.map((one) => {
      const bytes = bytesOfVariable(one);
      const offset = parameters.place(bytes, alignmentOf(one));
      scope.declare(one.name, { kind: 'variable', space: 'param', address: offset });
      return { name: one.name, type: one.type, offset, bytes };
    });
    this.#instance(kernel, scope, []);
    return {
      lines: this.#lines,
      registers: this.#registers,
      registerWords: this.#slots,
      parameters: places,
      parameterBytes: parameters.end,
      sharedBytes: this.#shared.end,
      localBytes: this.#local.end,
    };
  }

  /** Shared variables of everything that the kernel can reach, those of a size given at launch behind all others. */
  #outerScope(kernel: Routine): Scope {
    const scope = new Scope(null, this.#make);
    for (const [name, one] of this.#around.device) scope.declare(name, { kind: 'variable', ...one });
    const reached = reachable(kernel, this.#around.routines);
    const inside = [...reached].flatMap((one) => sharedIn(one.body ?? []));
    const all = [...this.#around.shared, ...inside];
    const sized = all.filter((one) => one.length !== 0);
    for (const one of sized)
      this.#sharedAt.set(one, this.#shared.place(bytesOfVariable(one), alignmentOf(one)));
    const open = all.filter((one) => one.length === 0);
    const align = Math.max(1, ...open.map(alignmentOf));
    if (open.length > 0) {
      const at = this.#shared.place(0, align);
      for (const one of open) this.#sharedAt.set(one, at);
    }
    for (const one of this.#around.shared)
      scope.declare(one.name, { kind: 'variable', space: 'shared', address: this.#sharedAt.get(one)! });
    return scope;
  }

  readonly #make = (name: string, type: ValueType): Register => this.#register(name, type, false);

  #register(name: string, type: ValueType, special: boolean): Register {
    let slot: number;
    if (type === 'pred') {
      if (this.#predicates % 32 === 0) {
        this.#predicates = this.#slots;
        this.#slots += 32;
      }
      slot = this.#predicates++;
    } else {
      slot = this.#slots;
      this.#slots += bitsOf(type) === 64 ? 64 : 32;
    }
    const register = { name, type, number: this.#registers.length, slot, special };
    this.#registers.push(register);
    return register;
  }

  /** Writes the lines of a routine. */
  #instance(routine: Routine, scope: Scope, callers: readonly string[]): Instance {
    const instance: Instance = {
      routine,
      labels: new Map(),
      tables: new Map(),
      returns: [],
      pending: [],
      callers: [...callers, routine.name],
    };
    this.#body(routine.body ?? [], scope, instance);
    this.#end(routine, instance);
    for (const { line, names, at } of instance.pending)
      line.targets = names.map((name) => {
        const target = instance.labels.get(name);
        if (target === undefined)
          throw this.#source.error(
            at,
            `found a branch to "${name}", expected a label of ${routine.name}`,
            'write the label before an instruction',
            { found: name, known: [...instance.labels.keys()], of: 'labels' },
          );
        return target;
      });
    return instance;
  }

  /** A kernel whose text just ends, ends there. */
  #end(routine: Routine, { labels }: Instance): void {
    if (!routine.entry) return;
    const last = this.#lines.at(-1);
    const stops = last && ['ret', 'exit', 'bra'].includes(last.form.base) && last.guard === null;
    const jumps = [...labels.values()].includes(this.#lines.length);
    if (stops && !jumps) return;
    this.#lines.push({ form: formOf(['exit']), operands: [], guard: null, targets: [], at: routine.at });
  }

  #body(body: readonly Statement[], scope: Scope, instance: Instance): void {
    for (const one of body)
      switch (one.kind) {
        case 'variable':
          this.#declare(one, scope);
          break;
        case 'label':
          if (instance.labels.has(one.name))
            throw this.#source.error(
              one.at,
              `found the label "${one.name}" twice, expected it once`,
              'rename one',
            );
          instance.labels.set(one.name, this.#lines.length);
          break;
        case 'targets':
          instance.tables.set(one.name, one.labels);
          break;
        case 'block':
          this.#body(one.body, new Scope(scope, this.#make), instance);
          break;
        case 'instruction':
          this.#instruction(one, scope, instance);
          break;
      }
  }

  #declare(one: Variable, scope: Scope): void {
    switch (one.space) {
      case 'reg':
        scope.declareRegister(one.name, one.count, one.type);
        return;
      case 'shared':
        scope.declare(one.name, { kind: 'variable', space: 'shared', address: this.#sharedAt.get(one)! });
        return;
      case 'local':
      case 'param': {
        const address = this.#local.place(Math.max(4, bytesOfVariable(one)), Math.max(4, alignmentOf(one)));
        const space = one.space === 'local' ? 'local' : 'frame';
        scope.declare(one.name, { kind: 'variable', space, address });
        return;
      }
      default:
        throw this.#source.error(
          one.at,
          `found a variable of .${one.space} in a body, expected it outside of routines`,
          'move the declaration before the routine',
        );
    }
  }

  #instruction(one: InstructionLine, scope: Scope, instance: Instance): void {
    const { at } = one;
    const form = formOf(one.words);
    const definition = definitionOf(form.base);
    if (!definition)
      throw this.#source.error(
        at,
        `found the instruction "${form.base}", expected a known one`,
        'correct the name',
        {
          found: form.base,
          known: instructionNames,
          of: 'instructions',
        },
      );
    const misfit = misfitOf(form, definition);
    if (misfit)
      throw this.#source.error(
        at,
        `found "${misfit.found}" in ${form.written}, expected one of: ${misfit.known.join(', ')}`,
        'correct the word',
        misfit,
      );
    const guard = one.guard && { ...one.guard, register: this.#guard(one.guard.name, scope, at) };
    if (form.base === 'call') {
      this.#call(one, form, guard, scope, instance);
      return;
    }
    const [least, most] = definition.operands;
    if (one.operands.length < least || one.operands.length > most) {
      const expected = least === most ? `${least}` : `${least} to ${most}`;
      throw this.#source.error(
        at,
        `found ${one.operands.length} operands of ${form.written}, expected ${expected}`,
        'write all operands, with commas between them',
      );
    }
    const line: FlatLine = {
      form,
      operands: one.operands.map((operand, position) =>
        definition.kind === 'branch' || (definition.kind === 'table' && position === 1)
          ? labelOf(operand)
          : this.#operand(operand, scope, at),
      ),
      guard: guard && { register: guard.register, negated: guard.negated },
      targets: [],
      at,
    };
    this.#lines.push(line);
    if (definition.kind === 'branch') instance.pending.push({ line, names: [nameOf(one.operands[0]!)], at });
    if (definition.kind === 'table') instance.pending.push({ line, names: this.#table(one, instance), at });
    if (form.base === 'ret' && !instance.routine.entry) instance.returns.push(line);
  }

  #table(one: InstructionLine, { tables }: Instance): readonly string[] {
    const name = nameOf(one.operands[1]!);
    const labels = tables.get(name);
    if (!labels)
      throw this.#source.error(
        one.at,
        `found the table "${name}", expected a label with .branchtargets before it`,
        'declare the labels to choose from',
        { found: name, known: [...tables.keys()], of: 'tables' },
      );
    return labels;
  }

  #guard(name: string, scope: Scope, at: Place): Register {
    const found = this.#operand({ kind: 'name', name }, scope, at);
    if (found.kind === 'register' && found.register.type === 'pred') return found.register;
    throw this.#source.error(
      at,
      `found the guard "${name}", expected a predicate`,
      'guard with a register of .pred',
    );
  }

  /** Writes the called routine behind the call; its parameters are those that the caller has filled. */
  #call(
    one: InstructionLine,
    form: FlatLine['form'],
    guard: FlatLine['guard'],
    scope: Scope,
    instance: Instance,
  ): void {
    const { at } = one;
    const lists = one.operands.map((operand) => (operand.kind === 'list' ? operand.parts.map(nameOf) : null));
    const position = lists.indexOf(null);
    const name = nameOf(one.operands[position] ?? { kind: 'list', parts: [] });
    const routine = this.#around.routines.get(name);
    if (!routine?.body || routine.entry)
      throw this.#source.error(
        at,
        `found a call of "${name}", expected a function with a body in this text`,
        'define the function, or leave the call out',
        { found: name, known: [...this.#around.routines.keys()], of: 'functions' },
      );
    if (instance.callers.includes(name))
      throw this.#source.error(
        at,
        `found a call of ${name} within itself, expected functions that end`,
        'write the recursion as a loop',
      );
    const results = lists.slice(0, position).flatMap((list) => list ?? []);
    const given = lists.slice(position + 1).flatMap((list) => list ?? []);
    const inner = new Scope(this.#outermost(scope), this.#make);
    this.#bind(routine.results, results, inner, scope, one);
    this.#bind(routine.parameters, given, inner, scope, one);
    const line: FlatLine = { form, operands: [], guard, targets: [this.#lines.length + 1], at };
    this.#lines.push(line);
    const { returns } = this.#instance(routine, inner, instance.callers);
    const after = this.#lines.length;
    line.next = after;
    for (const back of returns) back.targets = [after];
  }

  #bind(
    formal: readonly Variable[],
    given: readonly string[],
    inner: Scope,
    outer: Scope,
    { at, words }: InstructionLine,
  ): void {
    if (formal.length !== given.length)
      throw this.#source.error(
        at,
        `found ${given.length} parameters of ${words.join('.')}, expected ${formal.length}`,
        'hand over as many as the function declares',
      );
    for (const [position, one] of formal.entries()) {
      const meaning = outer.find(given[position]!);
      if (one.space !== 'param' || meaning?.kind !== 'variable' || meaning.space !== 'frame')
        throw this.#source.error(
          at,
          `found "${given[position]}" for ${one.name}, expected a variable of .param`,
          'declare a .param variable before the call and fill it with st.param',
        );
      inner.declare(one.name, meaning);
    }
  }

  #outermost(scope: Scope): Scope {
    return scope.parent === null ? scope : this.#outermost(scope.parent);
  }

  #operand(operand: Operand, scope: Scope, at: Place): ResolvedOperand {
    switch (operand.kind) {
      case 'whole':
      case 'real':
        return operand;
      case 'name': {
        if (operand.name === '_') return { kind: 'sink' };
        if (operand.name === 'WARP_SZ') return { kind: 'whole', value: 32n };
        const meaning = this.#find(operand.name, scope, at);
        if (meaning.kind === 'register') return meaning;
        return {
          kind: 'symbol',
          space: meaning.space === 'frame' ? 'local' : meaning.space,
          address: meaning.address,
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
      case 'address': {
        const { base, offset } = operand;
        if (base === null) return { kind: 'memory', base: null, space: null, offset };
        const meaning = this.#find(base, scope, at);
        if (meaning.kind === 'register')
          return { kind: 'memory', base: meaning.register, space: null, offset };
        return { kind: 'memory', base: null, space: meaning.space, offset: meaning.address + offset };
      }
      case 'vector':
      case 'list':
        return { kind: 'vector', parts: operand.parts.map((one) => this.#operand(one, scope, at)) };
      case 'pair':
        return {
          kind: 'pair',
          first: this.#operand(operand.first, scope, at),
          second: this.#operand(operand.second, scope, at),
        };
    }
  }

  #find(name: string, scope: Scope, at: Place) {
    const meaning = scope.find(name);
    if (meaning) return meaning;
    if (specialRegisters.includes(name)) {
      const register = this.#register(name, 'u32', true);
      const known = { kind: 'register', register } as const;
      this.#outermost(scope).declare(name, known);
      return known;
    }
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

const nameOf = (operand: Operand): string => (operand.kind === 'name' ? operand.name : '');
const labelOf = (operand: Operand): ResolvedOperand => ({ kind: 'label', name: nameOf(operand) });

function* statementsOf(body: readonly Statement[]): Generator<Exclude<Statement, { kind: 'block' }>> {
  for (const one of body)
    if (one.kind === 'block') yield* statementsOf(one.body);
    else yield one;
}

const sharedIn = (body: readonly Statement[]): Variable[] =>
  [...statementsOf(body)].filter((one) => one.kind === 'variable').filter(({ space }) => space === 'shared');

/** The routine and all that it calls, itself or through others. */
function reachable(
  routine: Routine,
  routines: ReadonlyMap<string, Routine>,
  seen = new Set<Routine>(),
): Set<Routine> {
  if (seen.has(routine)) return seen;
  seen.add(routine);
  for (const one of statementsOf(routine.body ?? [])) {
    if (one.kind !== 'instruction' || one.words[0] !== 'call') continue;
    for (const operand of one.operands) {
      const called = routines.get(nameOf(operand));
      if (called) reachable(called, routines, seen);
    }
  }
  return seen;
}
