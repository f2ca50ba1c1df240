import { type ErbProgram, textMethod, valueMethod } from './erb.ts';
import { MacroError, type MacroErrorKind, RubyError } from './errors.ts';
import { format } from './format.ts';
import { call } from './methods.ts';
import { wholeFloat, wholeInteger } from './number-text.ts';
import { toInteger } from './numbers.ts';
import {
  equal,
  inspect,
  isNumeric,
  type RubyBlock,
  RubyHash,
  RubyRange,
  RubyString,
  RubySymbol,
  type RubyValue,
  textOf,
  toFloat,
  truthy,
} from './values.ts';

/** A node of the parser's tree: its kind is the name of its class; what else it has depends on that. */
export interface Node {
  readonly location: { readonly startOffset: number; readonly length: number };
  // biome-ignore lint/suspicious/noExplicitAny: the tree of a parser in JavaScript
  readonly [member: string]: any;
}

/** What an expansion comes to. */
export interface Expansion {
  readonly text: string;
  /** What `p`, `puts` and `print` wrote. */
  readonly stdout: string;
}

/** `next`, `break` and `return` on their way. */
class Jump {
  readonly kind: 'next' | 'break' | 'return';
  readonly value: RubyValue;
  readonly target: object;
  constructor(kind: Jump['kind'], value: RubyValue, target: object) {
    this.kind = kind;
    this.value = value;
    this.target = target;
  }
}

/** Names of a block or method; a block sees those around it. */
class Scope {
  readonly #values = new Map<string, RubyValue>();
  readonly #around: Scope | undefined;
  /** Where `return` goes. */
  readonly method: object;
  constructor(around: Scope | undefined, method: object) {
    this.#around = around;
    this.method = method;
  }
  has(name: string): boolean {
    return this.#values.has(name) || (this.#around?.has(name) ?? false);
  }
  get(name: string): RubyValue {
    return this.#values.get(name) ?? this.#around?.get(name) ?? null;
  }
  set(name: string, value: RubyValue): void {
    if (this.#around?.has(name)) this.#around.set(name, value);
    else this.#values.set(name, value);
  }
  /** Gives a parameter of its own to a block. */
  declare(name: string, value: RubyValue): void {
    this.#values.set(name, value);
  }
}

/** Steps that a macro text may take, one for each node of the parser's tree that is evaluated and for each round of a block: more is an endless loop. */
const macroStepsMax = 20_000_000;

/**
 * Evaluates the Ruby of a template by walking the parser's tree: the subset of GRAPE specification 5.
 *
 * Errors: `MacroError` with the line of the template, also for what lies outside the subset.
 */
export class Interpreter {
  readonly #program: ErbProgram;
  readonly #file: string | undefined;
  /** The text of the program: places in it are counted in bytes. */
  readonly #bytes: Uint8Array;
  readonly #lineStarts: readonly number[];
  readonly #constants = new Map<string, RubyValue>();
  readonly #methods = new Map<string, Node>();
  readonly #stepsMax: number;
  #text = '';
  #stdout = '';
  #steps = 0;
  /** Where the loop or block is that `break` and `next` belong to. */
  #loops: object[] = [];

  /** `file` is named in errors. */
  constructor(program: ErbProgram, file?: string, stepsMax = macroStepsMax) {
    this.#program = program;
    this.#file = file;
    this.#stepsMax = stepsMax;
    const starts = [0];
    this.#bytes = new TextEncoder().encode(program.ruby);
    for (const [at, byte] of this.#bytes.entries()) if (byte === 10) starts.push(at + 1);
    this.#lineStarts = starts;
  }

  run(root: Node): Expansion {
    this.#body(root['statements'], new Scope(undefined, {}));
    return { text: this.#text, stdout: this.#stdout };
  }

  /** The line of the template that a place in the program comes from. */
  lineOf(offset: number): number {
    let line = 0;
    while (line + 1 < this.#lineStarts.length && this.#lineStarts[line + 1]! <= offset) line++;
    return this.#program.lines[line + 1] ?? 1;
  }

  #fail(kind: MacroErrorKind, node: Node, what: string): never {
    throw new MacroError(kind, this.lineOf(node.location.startOffset), what, this.#file);
  }

  #body(node: Node | null, scope: Scope): RubyValue {
    if (node === null) return null;
    let value: RubyValue = null;
    for (const one of node['body'] as Node[]) value = this.#value(one, scope);
    return value;
  }

  #value(node: Node | null, scope: Scope): RubyValue {
    if (node === null) return null;
    this.#step(node);
    try {
      return this.#evaluated(node, scope);
    } catch (error) {
      if (error instanceof RubyError) this.#fail(error.kind, node, error.message);
      if (error instanceof RangeError && /call stack/.test(error.message))
        this.#fail('Unsupported', node, 'methods call each other too deeply');
      if (error instanceof RangeError) this.#fail('Unsupported', node, 'a value that is too large');
      throw error;
    }
  }

  #step(node: Node): void {
    if (++this.#steps > this.#stepsMax) this.#fail('Unsupported', node, `more than ${this.#stepsMax} steps`);
  }

  #evaluated(node: Node, scope: Scope): RubyValue {
    switch (node.constructor.name) {
      case 'StatementsNode':
        return this.#body(node, scope);
      case 'ParenthesesNode':
        return this.#value(node['body'], scope);
      case 'BeginNode':
        if (node['rescueClause'] || node['ensureClause'])
          this.#fail('Unsupported', node, 'rescue and ensure');
        return this.#value(node['statements'], scope);
      case 'NilNode':
        return null;
      case 'TrueNode':
        return true;
      case 'FalseNode':
        return false;
      case 'IntegerNode':
        return this.#integer(node);
      case 'FloatNode':
        return Number(node['value']);
      case 'StringNode':
        return new RubyString(node['unescaped'].value);
      case 'SymbolNode':
        return new RubySymbol(node['unescaped'].value);
      case 'InterpolatedStringNode':
        return new RubyString(this.#interpolated(node, scope));
      case 'InterpolatedSymbolNode':
        return new RubySymbol(this.#interpolated(node, scope));
      case 'EmbeddedStatementsNode':
        return this.#value(node['statements'], scope);
      case 'ArrayNode':
        return this.#list(node['elements'], scope);
      case 'HashNode':
      case 'KeywordHashNode':
        return this.#hash(node, scope);
      case 'RangeNode':
        return new RubyRange(
          this.#value(node['left'], scope),
          this.#value(node['right'], scope),
          this.#excludesEnd(node),
        );
      case 'LocalVariableReadNode':
      case 'ItLocalVariableReadNode':
        return scope.get(node['name'] ?? 'it');
      case 'LocalVariableWriteNode':
        return this.#assign(scope, node['name'], this.#value(node['value'], scope));
      case 'LocalVariableOperatorWriteNode':
        return this.#assign(
          scope,
          node['name'],
          call(
            scope.get(node['name']),
            node['binaryOperator'],
            [this.#value(node['value'], scope)],
            undefined,
          ),
        );
      case 'LocalVariableOrWriteNode':
        return truthy(scope.get(node['name']))
          ? scope.get(node['name'])
          : this.#assign(scope, node['name'], this.#value(node['value'], scope));
      case 'LocalVariableAndWriteNode':
        return truthy(scope.get(node['name']))
          ? this.#assign(scope, node['name'], this.#value(node['value'], scope))
          : scope.get(node['name']);
      case 'ConstantReadNode':
        return this.#constant(node, node['name']);
      case 'ConstantWriteNode': {
        const value = this.#value(node['value'], scope);
        this.#constants.set(node['name'], value);
        return value;
      }
      case 'ConstantPathNode':
        return this.#path(node);
      case 'MultiWriteNode':
        return this.#multiple(node, scope);
      case 'IndexOperatorWriteNode':
      case 'IndexOrWriteNode':
      case 'IndexAndWriteNode':
        return this.#indexed(node, scope);
      case 'AndNode': {
        const left = this.#value(node['left'], scope);
        return truthy(left) ? this.#value(node['right'], scope) : left;
      }
      case 'OrNode': {
        const left = this.#value(node['left'], scope);
        return truthy(left) ? left : this.#value(node['right'], scope);
      }
      case 'DefinedNode':
        return this.#defined(node['value'], scope);
      case 'IfNode':
        return truthy(this.#value(node['predicate'], scope))
          ? this.#value(node['statements'], scope)
          : this.#value(node['subsequent'], scope);
      case 'UnlessNode':
        return truthy(this.#value(node['predicate'], scope))
          ? this.#value(node['elseClause'], scope)
          : this.#value(node['statements'], scope);
      case 'ElseNode':
        return this.#value(node['statements'], scope);
      case 'CaseNode':
        return this.#case(node, scope);
      case 'WhileNode':
      case 'UntilNode':
        return this.#loop(node, scope);
      case 'ForNode':
        return this.#for(node, scope);
      case 'NextNode':
      case 'BreakNode':
      case 'ReturnNode':
        return this.#jump(node, scope);
      case 'DefNode':
        if (node['parameters']) this.#checkParameters(node['parameters']);
        this.#methods.set(node['name'], node);
        return new RubySymbol(node['name']);
      case 'CallNode':
        return this.#call(node, scope);
      default:
        return this.#fail(
          'Unsupported',
          node,
          `${node.constructor.name.replace(/Node$/, '')} is not evaluated`,
        );
    }
  }

  /** An integer from its own text: what the parser hands over is cut to 32 bits. */
  #integer(node: Node): bigint {
    const { startOffset, length } = node.location;
    const digits = new TextDecoder()
      .decode(this.#bytes.subarray(startOffset, startOffset + length))
      .replaceAll('_', '')
      .toLowerCase();
    const [, sign, number] = /^([+-]?)(.*)$/.exec(digits) as unknown as [string, string, string];
    const value = BigInt(number.replace(/^0d/, '').replace(/^0o?(?=[0-7])/, '0o'));
    return sign === '-' ? -value : value;
  }

  #assign(scope: Scope, name: string, value: RubyValue): RubyValue {
    scope.set(name, value);
    return value;
  }

  #list(elements: readonly Node[], scope: Scope): RubyValue[] {
    return elements.flatMap((one): RubyValue[] => {
      if (one.constructor.name !== 'SplatNode') return [this.#value(one, scope)];
      const value = this.#value(one['expression'], scope);
      return Array.isArray(value) ? value : (call(value, 'to_a', [], undefined) as RubyValue[]);
    });
  }

  #hash(node: Node, scope: Scope): RubyHash {
    const hash = new RubyHash();
    for (const one of node['elements'] as Node[]) {
      if (one.constructor.name !== 'AssocNode') this.#fail('Unsupported', one, 'a hash in a hash by **');
      hash.set(this.#value(one['key'], scope), this.#value(one['value'], scope));
    }
    return hash;
  }

  #excludesEnd(node: Node): boolean {
    const { startOffset, length } = node['operatorLoc'] as { startOffset: number; length: number };
    return length === 3 && startOffset >= 0;
  }

  #interpolated(node: Node, scope: Scope): string {
    return (node['parts'] as Node[]).map((part) => textOf(this.#value(part, scope))).join('');
  }

  #constant(node: Node, name: string): RubyValue {
    const value = this.#constants.get(name);
    if (value === undefined) this.#fail('NameError', node, `uninitialized constant ${name}`);
    return value;
  }

  #path(node: Node): RubyValue {
    const parent = (node['parent'] as Node | null)?.['name'];
    if (parent === 'Math' && node['name'] === 'PI') return Math.PI;
    if (parent === 'Math' && node['name'] === 'E') return Math.E;
    if (parent === 'Float' && node['name'] === 'EPSILON') return Number.EPSILON;
    return this.#fail('NameError', node, `uninitialized constant ${parent ?? ''}::${node['name']}`);
  }

  #multiple(node: Node, scope: Scope): RubyValue {
    const value = this.#value(node['value'], scope);
    const values = Array.isArray(value) ? value : [value];
    const lefts = node['lefts'] as readonly Node[];
    const rights = node['rights'] as readonly Node[];
    for (const [at, target] of lefts.entries()) this.#target(target, values[at] ?? null, scope);
    const left = values.slice(lefts.length);
    if (node['rest']) {
      const rest = left.slice(0, Math.max(0, left.length - rights.length));
      if (node['rest'].expression) this.#target(node['rest'].expression, rest, scope);
      left.splice(0, rest.length);
    }
    for (const [at, target] of rights.entries()) this.#target(target, left[at] ?? null, scope);
    return value;
  }

  #target(node: Node, value: RubyValue, scope: Scope): void {
    switch (node.constructor.name) {
      case 'LocalVariableTargetNode':
        scope.set(node['name'], value);
        return;
      case 'ConstantTargetNode':
        this.#constants.set(node['name'], value);
        return;
      case 'IndexTargetNode':
        call(this.#value(node['receiver'], scope), '[]=', [...this.#given(node, scope), value], undefined);
        return;
      case 'MultiTargetNode': {
        const values = Array.isArray(value) ? value : [value];
        for (const [at, one] of (node['lefts'] as readonly Node[]).entries())
          this.#target(one, values[at] ?? null, scope);
        return;
      }
      case 'RequiredParameterNode':
        scope.declare(node['name'], value);
        return;
      default:
        this.#fail('Unsupported', node, `${node.constructor.name.replace(/Node$/, '')} as a target`);
    }
  }

  #indexed(node: Node, scope: Scope): RubyValue {
    const receiver = this.#value(node['receiver'], scope);
    const at = this.#given(node, scope);
    const old = call(receiver, '[]', at, undefined);
    const kind = node.constructor.name;
    if (kind === 'IndexOrWriteNode' && truthy(old)) return old;
    if (kind === 'IndexAndWriteNode' && !truthy(old)) return old;
    const given = this.#value(node['value'], scope);
    const value =
      kind === 'IndexOperatorWriteNode' ? call(old, node['binaryOperator'], [given], undefined) : given;
    return call(receiver, '[]=', [...at, value], undefined);
  }

  #defined(node: Node, scope: Scope): RubyValue {
    switch (node.constructor.name) {
      case 'LocalVariableReadNode':
        return new RubyString('local-variable');
      case 'ConstantReadNode':
        return this.#constants.has(node['name']) || rubyConstants.has(node['name'])
          ? new RubyString('constant')
          : null;
      case 'CallNode':
        if (node['receiver'] !== null) return new RubyString('method');
        return this.#methods.has(node['name']) || ownFunctions.has(node['name'])
          ? new RubyString('method')
          : null;
      case 'ParenthesesNode':
        return this.#defined(node['body'].body[0], scope);
      default: {
        const kind = node.constructor.name;
        if (kind.endsWith('WriteNode')) return new RubyString('assignment');
        if (kind.endsWith('VariableReadNode') || kind === 'ConstantPathNode')
          return this.#fail('Unsupported', node, `defined? of ${kind.replace(/Node$/, '')} is not evaluated`);
        return new RubyString('expression');
      }
    }
  }

  #case(node: Node, scope: Scope): RubyValue {
    const subject = node['predicate'] === null ? undefined : this.#value(node['predicate'], scope);
    for (const when of node['conditions'] as Node[]) {
      const met = (when['conditions'] as Node[]).some((condition) => {
        const value = this.#value(condition, scope);
        if (subject === undefined) return truthy(value);
        return value instanceof RubyRange
          ? truthy(call(value, '===', [subject], undefined))
          : equal(value, subject);
      });
      if (met) return this.#value(when['statements'], scope);
    }
    return this.#value(node['elseClause'], scope);
  }

  #loop(node: Node, scope: Scope): RubyValue {
    const wanted = node.constructor.name === 'WhileNode';
    return this.#asLoop((again) => {
      while (truthy(this.#value(node['predicate'], scope)) === wanted)
        again(() => this.#value(node['statements'], scope));
      return null;
    });
  }

  #for(node: Node, scope: Scope): RubyValue {
    const collection = this.#value(node['collection'], scope);
    return this.#asLoop((again) => {
      for (const one of call(collection, 'to_a', [], undefined) as RubyValue[])
        again(() => {
          this.#target(node['index'], one, scope);
          return this.#value(node['statements'], scope);
        });
      return collection;
    });
  }

  /** Runs something that `break` ends; each round inside `again` is one that `next` ends. */
  #asLoop(run: (again: (round: () => RubyValue) => void) => RubyValue): RubyValue {
    const loop = {};
    this.#loops.push(loop);
    const depth = this.#loops.length;
    try {
      return run((round) => {
        try {
          round();
        } catch (error) {
          if (!(error instanceof Jump) || error.kind !== 'next' || error.target !== loop) throw error;
          this.#loops.length = depth;
        }
      });
    } catch (error) {
      if (!(error instanceof Jump) || error.kind !== 'break' || error.target !== loop) throw error;
      return error.value;
    } finally {
      this.#loops.length = depth - 1;
    }
  }

  #jump(node: Node, scope: Scope): never {
    const given = this.#given(node, scope);
    const value = given.length > 1 ? given : (given[0] ?? null);
    if (node.constructor.name === 'ReturnNode') throw new Jump('return', value, scope.method);
    const loop = this.#loops.at(-1);
    if (!loop) this.#fail('SyntaxError', node, 'next and break belong to a loop or block');
    throw new Jump(node.constructor.name === 'NextNode' ? 'next' : 'break', value, loop);
  }

  #given(node: Node, scope: Scope): RubyValue[] {
    const list = node['arguments_'] as Node | null;
    return list === null ? [] : this.#list(list['arguments_'], scope);
  }

  #call(node: Node, scope: Scope): RubyValue {
    const name = node['name'] as string;
    if (node['receiver'] === null) return this.#ownMethod(node, name, scope);
    if (node['receiver'].constructor.name === 'ConstantReadNode' && node['receiver'].name === 'Math')
      return this.#math(node, name, this.#given(node, scope));
    const receiver = this.#value(node['receiver'], scope);
    if (receiver === null && node['isSafeNavigation']?.()) return null;
    const given = this.#given(node, scope);
    return this.#withBlock(node, scope, (block) => call(receiver, name, given, block));
  }

  /** Calls with the block of a call, which `break` ends. */
  #withBlock(node: Node, scope: Scope, run: (block: RubyBlock | undefined) => RubyValue): RubyValue {
    const block = node['block'] as Node | null;
    if (block === null) return run(undefined);
    if (block.constructor.name === 'BlockArgumentNode') {
      const method = this.#value(block['expression'], scope);
      if (!(method instanceof RubySymbol)) this.#fail('Unsupported', block, 'a block that is no symbol');
      return run((one, ...rest) => {
        this.#step(block);
        return call(one ?? null, method.name, rest, undefined);
      });
    }
    return this.#asLoop((again) =>
      run((...given) => {
        this.#step(block);
        const inner = new Scope(scope, scope.method);
        this.#parameters(block['parameters'], given, inner);
        let value: RubyValue = null;
        let jumped: Jump | undefined;
        again(() => {
          try {
            value = this.#value(block['body'], inner);
          } catch (error) {
            if (error instanceof Jump && error.kind === 'next') jumped = error;
            throw error;
          }
          return value;
        });
        return jumped ? jumped.value : value;
      }),
    );
  }

  /** Gives a block its values: one list for several parameters is taken apart. */
  #parameters(node: Node | null, given: readonly RubyValue[], scope: Scope): void {
    if (node === null) return;
    if (node.constructor.name === 'NumberedParametersNode') {
      const [only] = given;
      const values = node['maximum'] > 1 && given.length === 1 && Array.isArray(only) ? only : given;
      for (let at = 0; at < 9; at++) scope.declare(`_${at + 1}`, values[at] ?? null);
      return;
    }
    if (node.constructor.name === 'ItParametersNode') {
      scope.declare('it', given[0] ?? null);
      return;
    }
    const parameters = (node['parameters'] ?? null) as Node | null;
    if (parameters === null) return;
    this.#checkParameters(parameters);
    const required = parameters['requireds'] as readonly Node[];
    const optional = parameters['optionals'] as readonly Node[];
    const several = required.length + optional.length > 1 || parameters['rest'] !== null;
    const values = several && given.length === 1 && Array.isArray(given[0]) ? given[0] : given;
    this.#bind(parameters, values, scope);
  }

  /** Refuses what a list of parameters may have besides names, defaults and a rest. */
  #checkParameters(parameters: Node): void {
    if (
      (parameters['posts'] as readonly Node[]).length > 0 ||
      (parameters['keywords'] as readonly Node[]).length > 0 ||
      parameters['keywordRest'] !== null ||
      parameters['block'] !== null
    )
      this.#fail('Unsupported', parameters, 'a parameter after *, with a keyword, ** or & is not evaluated');
  }

  #bind(parameters: Node, values: readonly RubyValue[], scope: Scope): void {
    const required = parameters['requireds'] as readonly Node[];
    const optional = parameters['optionals'] as readonly Node[];
    for (const [at, one] of required.entries()) this.#target(one, values[at] ?? null, scope);
    optional.forEach((one, at) => {
      const value = values[required.length + at];
      scope.declare(one['name'], value === undefined ? this.#value(one['value'], scope) : value);
    });
    const rest = parameters['rest'] as Node | null;
    if (rest?.['name']) scope.declare(rest['name'], values.slice(required.length + optional.length));
  }

  #ownMethod(node: Node, name: string, scope: Scope): RubyValue {
    if (name === textMethod) {
      this.#text += this.#program.texts[Number(this.#given(node, scope)[0])]!;
      return null;
    }
    if (name === valueMethod) {
      this.#text += textOf(this.#given(node, scope)[0] ?? null);
      return null;
    }
    const method = this.#methods.get(name);
    if (method) return this.#defMethod(node, method, this.#given(node, scope));
    switch (name) {
      case 'p': {
        const given = this.#given(node, scope);
        for (const one of given) this.#stdout += `${inspect(one)}\n`;
        return given.length > 1 ? given : (given[0] ?? null);
      }
      case 'puts':
        this.#puts(this.#given(node, scope));
        return null;
      case 'print':
        for (const one of this.#given(node, scope)) this.#stdout += textOf(one);
        return null;
      case 'format':
      case 'sprintf': {
        const [template, ...rest] = this.#given(node, scope);
        return new RubyString(format(textOf(template ?? null), rest));
      }
      case 'loop':
        return this.#withBlock(node, scope, (block) => {
          for (;;) block!();
        });
      case 'Integer':
      case 'Float':
        return this.#converted(node, name, this.#given(node, scope)[0] ?? null);
      case 'lambda':
      case 'proc':
      case 'require':
      case 'raise':
        return this.#fail('Unsupported', node, `${name} is not evaluated`);
      default:
        return this.#fail(
          node['arguments_'] === null && node['openingLoc'] === null ? 'NameError' : 'NoMethodError',
          node,
          node['arguments_'] === null && node['openingLoc'] === null
            ? `undefined local variable or method '${name}' for main`
            : `undefined method '${name}' for main`,
        );
    }
  }

  #converted(node: Node, name: 'Integer' | 'Float', value: RubyValue): RubyValue {
    if (value instanceof RubyString) return name === 'Integer' ? wholeInteger(value) : wholeFloat(value);
    if (!isNumeric(value)) this.#fail('TypeError', node, `can't convert ${inspect(value)} into ${name}`);
    return name === 'Integer' ? toInteger(value) : toFloat(value);
  }

  #puts(given: readonly RubyValue[]): void {
    if (given.length === 0) this.#stdout += '\n';
    for (const one of given) {
      if (Array.isArray(one)) this.#puts(one);
      else {
        const text = textOf(one);
        this.#stdout += text.endsWith('\n') ? text : `${text}\n`;
      }
    }
  }

  #defMethod(node: Node, method: Node, given: readonly RubyValue[]): RubyValue {
    const place = {};
    const scope = new Scope(undefined, place);
    const parameters = method['parameters'] as Node | null;
    const required = (parameters?.['requireds'] as readonly Node[] | undefined)?.length ?? 0;
    const optional = (parameters?.['optionals'] as readonly Node[] | undefined)?.length ?? 0;
    const most = parameters?.['rest'] ? Number.POSITIVE_INFINITY : required + optional;
    if (given.length < required || given.length > most)
      this.#fail(
        'ArgumentError',
        node,
        `wrong number of arguments (given ${given.length}, expected ${required})`,
      );
    if (parameters) this.#bind(parameters, given, scope);
    const loops = this.#loops;
    this.#loops = [];
    try {
      return this.#value(method['body'], scope);
    } catch (error) {
      if (error instanceof Jump && error.kind === 'return' && error.target === place) return error.value;
      throw error;
    } finally {
      this.#loops = loops;
    }
  }

  #math(node: Node, name: string, given: readonly RubyValue[]): RubyValue {
    const numbers = given.map((one) => {
      if (!isNumeric(one)) this.#fail('TypeError', node, `${inspect(one)} is no number`);
      return toFloat(one);
    });
    const known: Readonly<Record<string, (...x: number[]) => number>> = {
      sqrt: Math.sqrt,
      cbrt: Math.cbrt,
      sin: Math.sin,
      cos: Math.cos,
      tan: Math.tan,
      atan: Math.atan,
      atan2: Math.atan2,
      exp: Math.exp,
      log: (x, base) => (base === undefined ? Math.log(x!) : logarithm(x!, base)),
      log2: Math.log2,
      log10: Math.log10,
      pow: Math.pow,
      hypot: Math.hypot,
    } as Readonly<Record<string, (...x: number[]) => number>>;
    const method = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!method) this.#fail('NoMethodError', node, `undefined method '${name}' for module Math`);
    const result = method(...numbers);
    if (Number.isNaN(result) && !numbers.some(Number.isNaN))
      this.#fail('StandardError', node, `Math::DomainError: Numerical argument is out of domain - ${name}`);
    return result;
  }
}

/** Functions that every text may call. */
const ownFunctions: ReadonlySet<string> = new Set([
  'p',
  'puts',
  'print',
  'format',
  'sprintf',
  'loop',
  'Integer',
  'Float',
  'lambda',
  'proc',
  'require',
  'raise',
]);

/** The logarithm to a base, exact for powers of the usual ones. */
const logarithm = (x: number, base: number): number =>
  base === 2 ? Math.log2(x) : base === 10 ? Math.log10(x) : Math.log(x) / Math.log(base);

/** Constants that Ruby has from the beginning, of those that a text may ask for. */
const rubyConstants: ReadonlySet<string> = new Set(
  'Array Comparable Complex Enumerable Float Hash Integer Kernel Math NilClass Object Proc Range Rational String Struct Symbol Time'.split(
    ' ',
  ),
);
