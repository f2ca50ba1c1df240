import { dynamicStackBytes } from './address-space.ts';
import { listOf, reachableFrom } from './call-graph.ts';
import { bindParameters, placeActual } from './call-parameters.ts';
import { type CalledFunction, type FramePlace, frameBytesOf, stackBytes } from './called-function.ts';
import { deviceCall, isDeviceFunction } from './device-calls.ts';
import type { FlatCode, Surroundings } from './flat-code.ts';
import { definitionOf, formOf, instructionNames, misfitOf } from './instruction-set.ts';
import { Labels } from './labels.ts';
import { nameOf, OperandNames, outermost } from './operand-names.ts';
import type { PtxSource } from './ptx-error.ts';
import { RegisterFile } from './register-file.ts';
import type { FlatLine, Register, ResolvedOperand } from './resolved.ts';
import { type Meaning, Scope } from './scope.ts';
import { placeShared, reservedSharedBytes, type SharedPlaces } from './shared-variables.ts';
import { stackInstructions } from './stack-instructions.ts';
import type { InstructionLine, Operand, Place, Prototype, Routine, Statement, Variable } from './syntax.ts';
import { alignmentOf, bytesOfVariable, Layout } from './variables.ts';

/** Replaces names by what they stand for and calls by the routines that they call (chiplet specification 7.1). */
export function flatten(kernel: Routine, around: Surroundings): FlatCode {
  return new Flattener(kernel, around).code();
}

interface Instance {
  readonly routine: Routine;
  readonly labels: Labels;
  readonly tables: Map<string, readonly string[]>;
  readonly prototypes: Map<string, Prototype>;
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
  /** Local memory of the body at hand: that of the kernel, or the frame of a function that is called with a stack. */
  #frame: Layout;
  #framed = false;
  readonly #rolled = new Set<number>();
  readonly #called = new Map<Routine, CalledFunction>();
  readonly #reserved: number;
  readonly #shared: SharedPlaces;
  /** Bytes that `alloca` took, in a text that has it: they lie before the frame of the kernel. */
  readonly #taken: Register | undefined;

  constructor(kernel: Routine, around: Surroundings) {
    this.#kernel = kernel;
    this.#around = around;
    this.#source = around.source;
    this.#names = new OperandNames(around, this.#registers);
    if (/\b(alloca|stack(save|restore))\b/.test(around.source.text))
      this.#taken = this.#registers.make('%taken', 'u32');
    this.#frame = new Layout(this.#taken ? dynamicStackBytes : 0);
    this.#reserved = around.source.text.includes('%reserved_smem_offset') ? reservedSharedBytes : 0;
    this.#shared = placeShared(kernel, around.routines, around.shared, around.taken, this.#reserved);
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
    const own = this.#frame.end;
    // Writing one may ask for others.
    for (const [routine, one] of this.#called) this.#function(routine, one, outer);
    return {
      lines: this.#lines,
      registers: this.#registers.registers,
      registerWords: this.#registers.words,
      parameters: places,
      parameterBytes: parameters.end,
      sharedBytes: this.#shared.bytes,
      reservedSharedBytes: this.#reserved,
      localBytes: this.#called.size === 0 ? own : frameBytesOf(own) + stackBytes,
      rolled: this.#rolled,
      called: [...this.#called.values()],
    };
  }

  /** What is declared outside of routines. */
  #outerScope(): Scope {
    const scope = new Scope(null, this.#registers.make);
    for (const [name, one] of this.#around.device) scope.declare(name, { kind: 'variable', ...one });
    for (const [name, address] of this.#around.functions)
      scope.declare(name, { kind: 'variable', space: 'global', address });
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
      prototypes: new Map(),
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
        case 'prototype':
          instance.prototypes.set(one.name, one);
          break;
        case 'rolled':
          this.#rolled.add(this.#lines.length);
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
    const { offset: address } = roomIn(this.#frame, one);
    const space = one.space === 'local' ? 'local' : 'frame';
    return { kind: 'variable', space, address, ...(this.#framed && { framed: true }) };
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
    const [least, most] = definition.operandsOf?.(form) ?? definition.operands;
    if (one.operands.length < least || one.operands.length > most) {
      const expected = least === most ? `${least}` : `${least} to ${most}`;
      throw this.#source.error(
        at,
        `found ${one.operands.length} operands of ${form.written}, expected ${expected}`,
        'write all operands, with commas between them',
      );
    }
    const operands = one.operands.map((operand, position) =>
      definition.kind === 'branch' || (definition.kind === 'table' && position === 1)
        ? labelOf(operand)
        : this.#names.operand(operand, scope, at),
    );
    const register = Object.hasOwn(stackInstructions, form.base) ? this.#taken : undefined;
    const line: FlatLine = {
      form,
      operands: register ? [...operands, { kind: 'register', register }] : operands,
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
    if (routine?.error) throw routine.error;
    if (routine === undefined && scope.find(name)?.kind === 'register') {
      this.#callByAddress(one, form, guard, scope, instance, position);
      return;
    }
    if (routine?.body === null && isDeviceFunction(name)) {
      this.#deviceCall(name, one, guard, scope);
      return;
    }
    if (/^(__)?cuda[A-Z]/.test(name) && !routine?.body) throw this.#names.fromKernel(name, at);
    if (!routine?.body || routine.entry)
      throw this.#source.error(
        at,
        `found a call of "${name}", expected a function with a body in this text`,
        'define the function, or leave the call out',
        { found: name, known: [...this.#around.routines.keys()], of: 'functions' },
      );
    const results = lists.slice(0, position).flatMap((list) => list ?? []);
    const given = lists.slice(position + 1).flatMap((list) => list ?? []);
    if (reachableFrom(routine, this.#around.routines, this.#around.taken).has(routine)) {
      this.#stackCall(
        { callee: this.#functionOf(routine), address: null, choice: null },
        routine,
        { results, given },
        { one, form, guard, scope },
      );
      return;
    }
    const inner = new Scope(outermost(scope), this.#registers.make);
    const around = {
      source: this.#source,
      names: this.#names,
      inner,
      outer: scope,
      call: one,
      frame: (variable: Variable) => this.#placeOf({ ...variable, space: 'param' }),
    };
    const stack = this.#stackLines(at);
    const before = [...bindParameters(routine.parameters, given, 'given', around), ...stack.before];
    const behind = [...stack.behind, ...bindParameters(routine.results, results, 'results', around)];
    const line: FlatLine = { form, operands: [], guard, targets: [this.#lines.length + 1], at };
    this.#lines.push(line, ...before);
    const { returns } = this.#instance(routine, inner, instance.callers);
    for (const back of returns) back.targets = [this.#lines.length];
    this.#lines.push(...behind);
    line.next = this.#lines.length;
  }

  /** The lines that give back what a function takes of the stack. */
  #stackLines(at: Place): Readonly<Record<'before' | 'behind', readonly FlatLine[]>> {
    if (this.#taken === undefined) return { before: [], behind: [] };
    const names = [this.#taken, this.#registers.make('%taken before', 'u32')] as const;
    const [now, then] = names.map((register) => ({ kind: 'register', register }) as const);
    const move = (operands: readonly ResolvedOperand[]): FlatLine => ({
      form: formOf(['mov', 'u32']),
      operands,
      guard: null,
      targets: [],
      at,
    });
    return { before: [move([then!, now!])], behind: [move([now!, then!])] };
  }

  /** A call of a function whose address is in a register; all whose address is taken may be meant. */
  #callByAddress(
    one: InstructionLine,
    form: FlatLine['form'],
    guard: FlatLine['guard'],
    scope: Scope,
    instance: Instance,
    position: number,
  ): void {
    const { operands, at } = one;
    const target = operands[position]!;
    const last = nameOf(operands.at(-1)!);
    const prototype = instance.prototypes.get(last);
    const [first] = prototype?.choice ?? [];
    const look = first === undefined ? prototype : this.#around.routines.get(first);
    if (prototype === undefined || look === undefined)
      throw this.#source.error(
        at,
        `found "${last}" behind a call by address, expected a label with .callprototype or .calltargets before it`,
        'declare what the called functions look like',
        { found: last, known: [...instance.prototypes.keys()], of: 'prototypes' },
      );
    for (const name of this.#around.taken) {
      const routine = this.#around.routines.get(name)!;
      if (routine.body !== null) this.#functionOf(routine);
    }
    const results = operands.slice(0, position).flatMap(listOf);
    const given = operands.slice(position + 1, -1).flatMap(listOf);
    const address = this.#names.operand(target, scope, at);
    this.#stackCall(
      { callee: null, address, choice: prototype.choice },
      look,
      { results, given },
      { one, form, guard, scope },
    );
  }

  /** The call itself, between the lines that carry single values to and from variables of the caller. */
  #stackCall(
    to: Pick<NonNullable<FlatLine['call']>, 'callee' | 'address' | 'choice'>,
    look: Pick<Routine, 'parameters' | 'results'>,
    actual: { readonly given: readonly Operand[]; readonly results: readonly Operand[] },
    from: {
      readonly one: InstructionLine;
      readonly form: FlatLine['form'];
      readonly guard: FlatLine['guard'];
      readonly scope: Scope;
    },
  ): void {
    const { one, form, guard, scope } = from;
    const around = {
      source: this.#source,
      names: this.#names,
      outer: scope,
      call: one,
      frame: (variable: Variable) => this.#placeOf({ ...variable, space: 'param' }),
    };
    const given = placeActual(look.parameters, actual.given, 'given', around);
    const results = placeActual(look.results, actual.results, 'results', around);
    const call = { ...to, given: given.places, results: results.places, frame: this.#frame };
    const read = to.address === null ? [] : [to.address];
    this.#lines.push(...given.lines, { form, operands: read, guard, targets: [], call, at: one.at });
    this.#lines.push(...results.lines);
  }

  /** A function that is called with a stack; its body is written behind the kernel. */
  #functionOf(routine: Routine): CalledFunction {
    const known = this.#called.get(routine);
    if (known !== undefined) return known;
    const layout = new Layout();
    const place = (one: Variable): FramePlace => roomIn(layout, one);
    const made: CalledFunction = {
      name: routine.name,
      address: this.#around.functions.get(routine.name)!,
      entry: 0,
      parameters: routine.parameters.map(place),
      results: routine.results.map(place),
      registers: [],
      frameBytes: layout.end,
    };
    this.#called.set(routine, made);
    return made;
  }

  /** Writes the body of a function that is called with a stack. */
  #function(routine: Routine, one: CalledFunction, outer: Scope): void {
    const { at } = routine;
    const first = this.#registers.registers.length;
    const scope = new Scope(outer, this.#registers.make);
    this.#frame = new Layout(one.frameBytes);
    this.#framed = true;
    one.entry = this.#lines.length;
    const line = (words: readonly string[], operands: readonly ResolvedOperand[]): FlatLine => ({
      form: formOf(words),
      operands,
      guard: null,
      targets: [],
      at,
    });
    const bind = (variable: Variable, { offset }: FramePlace, way: 'ld' | 'st'): readonly FlatLine[] => {
      if (variable.space !== 'reg') {
        scope.declare(variable.name, { kind: 'variable', space: 'frame', address: offset, framed: true });
        return [];
      }
      scope.declareRegister(variable.name, -1, variable.type);
      const inside = this.#names.operand({ kind: 'name', name: variable.name }, scope, at);
      const memory = { kind: 'memory', base: null, space: 'frame', offset, framed: true } as const;
      return [line([way, 'param', variable.type], way === 'ld' ? [inside, memory] : [memory, inside])];
    };
    for (const [position, variable] of routine.parameters.entries())
      this.#lines.push(...bind(variable, one.parameters[position]!, 'ld'));
    const stack = this.#stackLines(at);
    this.#lines.push(...stack.before);
    const behind = routine.results.flatMap((variable, position) =>
      bind(variable, one.results[position]!, 'st'),
    );
    const { returns } = this.#instance(routine, scope, [routine.name]);
    for (const back of returns) back.targets = [this.#lines.length];
    this.#lines.push(...stack.behind, ...behind, { ...line(['ret'], []), returns: true });
    one.registers = this.#registers.registers.slice(first).filter(({ special }) => !special);
    one.frameBytes = frameBytesOf(this.#frame.end);
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

/** Room for a variable in local memory. */
function roomIn(layout: Layout, one: Variable): FramePlace {
  const bytes = bytesOfVariable(one);
  return { offset: layout.place(Math.max(4, bytes), Math.max(4, alignmentOf(one))), bytes };
}
