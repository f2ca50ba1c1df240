import { bindParameters } from './call-parameters.ts';
import { deviceCall, isDeviceFunction } from './device-calls.ts';
import type { FlatCode, Surroundings } from './flat-code.ts';
import { definitionOf, formOf, instructionNames, misfitOf } from './instruction-set.ts';
import { Labels } from './labels.ts';
import { nameOf, OperandNames, outermost } from './operand-names.ts';
import type { PtxSource } from './ptx-error.ts';
import { RegisterFile } from './register-file.ts';
import type { FlatLine, ResolvedOperand } from './resolved.ts';
import { type Meaning, Scope } from './scope.ts';
import { placeShared, type SharedPlaces } from './shared-variables.ts';
import type { InstructionLine, Operand, Place, Routine, Statement, Variable } from './syntax.ts';
import { alignmentOf, bytesOfVariable, Layout } from './variables.ts';

/** Replaces names by what they stand for and calls by the routines that they call (chiplet specification 7.1). */
export function flatten(kernel: Routine, around: Surroundings): FlatCode {
  return new Flattener(kernel, around).code();
}

interface Instance {
  readonly routine: Routine;
  readonly labels: Labels;
  readonly tables: Map<string, readonly string[]>;
  /** Lines that end the call, to be told where it ends. */
  readonly returns: FlatLine[];
  /** Lines with labels that are not placed yet. */
  readonly pending: {
    readonly line: FlatLine;
    readonly names: readonly string[];
    readonly scope: Scope;
    readonly at: Place;
  }[];
  readonly callers: readonly string[];
}

class Flattener {
  readonly #kernel: Routine;
  readonly #around: Surroundings;
  readonly #source: PtxSource;
  readonly #lines: FlatLine[] = [];
  readonly #registers = new RegisterFile();
  readonly #names: OperandNames;
  readonly #local = new Layout();
  readonly #shared: SharedPlaces;

  constructor(kernel: Routine, around: Surroundings) {
    this.#kernel = kernel;
    this.#around = around;
    this.#source = around.source;
    this.#names = new OperandNames(around.source, this.#registers);
    this.#shared = placeShared(kernel, around.routines, around.shared);
  }

  code(): FlatCode {
    const kernel = this.#kernel;
    const parameters = new Layout();
    const outer = this.#outerScope();
    const scope = new Scope(outer, this.#registers.make);
    const places = kernel.parameters.map((one) => {
      const bytes = bytesOfVariable(one);
      const offset = parameters.place(bytes, alignmentOf(one));
      if (!scope.declare(one.name, { kind: 'variable', space: 'param', address: offset }))
        throw this.#source.twice(one.name, one.at);
      return { name: one.name, type: one.type, offset, bytes };
    });
    this.#instance(kernel, scope, []);
    return {
      lines: this.#lines,
      registers: this.#registers.registers,
      registerWords: this.#registers.words,
      parameters: places,
      parameterBytes: parameters.end,
      sharedBytes: this.#shared.bytes,
      localBytes: this.#local.end,
    };
  }

  /** What is declared outside of routines. */
  #outerScope(): Scope {
    const scope = new Scope(null, this.#registers.make);
    for (const [name, one] of this.#around.device) scope.declare(name, { kind: 'variable', ...one });
    for (const one of this.#around.shared)
      scope.declare(one.name, { kind: 'variable', space: 'shared', address: this.#shared.places.get(one)! });
    return scope;
  }

  /** Writes the lines of a routine. */
  #instance(routine: Routine, scope: Scope, callers: readonly string[]): Instance {
    const instance: Instance = {
      routine,
      labels: new Labels(),
      tables: new Map(),
      returns: [],
      pending: [],
      callers: [...callers, routine.name],
    };
    this.#body(routine.body ?? [], scope, instance);
    this.#end(routine, instance);
    for (const { line, names, scope: from, at } of instance.pending)
      line.targets = names.map((name) => {
        const target = instance.labels.find(name, from);
        if (target === undefined)
          throw this.#source.error(
            at,
            `found a branch to "${name}", expected a label of ${routine.name}`,
            'write the label before an instruction',
            { found: name, known: instance.labels.names, of: 'labels' },
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
    if (stops && !labels.stands(this.#lines.length)) return;
    this.#lines.push({ form: formOf(['exit']), operands: [], guard: null, targets: [], at: routine.at });
  }

  #body(body: readonly Statement[], scope: Scope, instance: Instance): void {
    for (const one of body)
      switch (one.kind) {
        case 'variable':
          this.#declare(one, scope);
          break;
        case 'label':
          if (!instance.labels.place(one.name, scope, this.#lines.length))
            throw this.#source.twice(one.name, one.at);
          break;
        case 'targets':
          instance.tables.set(one.name, one.labels);
          break;
        case 'block':
          this.#body(one.body, new Scope(scope, this.#registers.make), instance);
          break;
        case 'instruction':
          this.#instruction(one, scope, instance);
          break;
      }
  }

  #declare(one: Variable, scope: Scope): void {
    const fresh =
      one.space === 'reg'
        ? scope.declareRegister(one.name, one.count, one.type)
        : scope.declare(one.name, this.#placeOf(one));
    if (!fresh) throw this.#source.twice(one.name, one.at);
  }

  /** Where a variable of a body lies. */
  #placeOf(one: Variable): Meaning {
    if (one.space === 'shared')
      return { kind: 'variable', space: 'shared', address: this.#shared.places.get(one)! };
    if (one.space !== 'local' && one.space !== 'param')
      throw this.#source.error(
        one.at,
        `found a variable of .${one.space} in a body, expected it outside of routines`,
        'move the declaration before the routine',
      );
    const address = this.#local.place(Math.max(4, bytesOfVariable(one)), Math.max(4, alignmentOf(one)));
    return { kind: 'variable', space: one.space === 'local' ? 'local' : 'frame', address };
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
    if (misfit) throw this.#source.error(at, misfit.what, 'correct the word', misfit.names);
    const guard = one.guard && { ...one.guard, register: this.#names.guard(one.guard.name, scope, at) };
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
          : this.#names.operand(operand, scope, at),
      ),
      guard: guard && { register: guard.register, negated: guard.negated },
      targets: [],
      at,
    };
    this.#lines.push(line);
    if (definition.kind === 'branch')
      instance.pending.push({ line, names: [nameOf(one.operands[0]!)], scope, at });
    if (definition.kind === 'table')
      instance.pending.push({ line, names: this.#table(one, instance), scope, at });
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

  /** Writes the called routine behind the call; its parameters are those that the caller has filled. */
  #call(
    one: InstructionLine,
    form: FlatLine['form'],
    guard: FlatLine['guard'],
    scope: Scope,
    instance: Instance,
  ): void {
    const { at } = one;
    const lists = one.operands.map((operand) => (operand.kind === 'list' ? operand.parts : null));
    const position = lists.indexOf(null);
    const name = nameOf(one.operands[position] ?? { kind: 'list', parts: [] });
    const routine = this.#around.routines.get(name);
    if (routine?.body === null && isDeviceFunction(name)) {
      this.#deviceCall(name, one, guard, scope);
      return;
    }
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
    const inner = new Scope(outermost(scope), this.#registers.make);
    const around = {
      source: this.#source,
      names: this.#names,
      inner,
      outer: scope,
      call: one,
      frame: (variable: Variable) => this.#placeOf({ ...variable, space: 'param' }),
    };
    const before = bindParameters(routine.parameters, given, 'given', around);
    const behind = bindParameters(routine.results, results, 'results', around);
    const line: FlatLine = { form, operands: [], guard, targets: [this.#lines.length + 1], at };
    this.#lines.push(line, ...before);
    const { returns } = this.#instance(routine, inner, instance.callers);
    for (const back of returns) back.targets = [this.#lines.length];
    this.#lines.push(...behind);
    line.next = this.#lines.length;
  }

  /** A call of a function that the system brings: one line, with the variables that the caller has filled. */
  #deviceCall(name: string, one: InstructionLine, guard: FlatLine['guard'], scope: Scope): void {
    const given = one.operands.flatMap((operand) => (operand.kind === 'list' ? operand.parts : []));
    const operands = given.map((operand): ResolvedOperand => {
      const known = operand.kind === 'name' ? scope.find(operand.name) : undefined;
      if (known?.kind !== 'variable' || known.space !== 'frame')
        throw this.#source.error(
          one.at,
          `found another operand of ${name}, expected variables of .param`,
          'fill variables of .param with st.param before the call',
        );
      return { kind: 'memory', base: null, space: 'frame', offset: known.address };
    });
    const [least, most] = definitionOf(deviceCall(name))!.operands;
    if (operands.length < least || operands.length > most)
      throw this.#source.error(
        one.at,
        `found ${operands.length} parameters and results of ${name}, expected ${least} or ${most}`,
        'declare the function as the system has it',
      );
    this.#lines.push({ form: formOf([deviceCall(name)]), operands, guard, targets: [], at: one.at });
  }
}

const labelOf = (operand: Operand): ResolvedOperand => ({ kind: 'label', name: nameOf(operand) });
