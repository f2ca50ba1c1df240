import type { Item, Program, SectionName, Slot } from '../../../actors/grape/program.ts';
import {
  addition,
  type Component,
  checkRanges,
  inputTransfer,
  multiplication,
  parseComponent,
  type Resolved,
  type RoundPolicy,
  reduction,
  resolve,
  type Surroundings,
  transfer,
} from './components.ts';
import { declareAlias, declareRegion, declareVariable } from './declarations.ts';
import { DiagnosticLog } from './diagnostic-log.ts';
import type { Diagnostic } from './diagnostics.ts';
import type { RubyNumber } from './expression.ts';
import { hazardsOf } from './hazards.ts';
import { type Line, linesOf, type Token } from './lines.ts';
import { standaloneWords } from './opcodes.ts';
import type { Operand } from './operands.ts';
import { checkPorts, usesUnit, warnOfWrites } from './ports.ts';
import { dataWord, dumpLine, type Packet, packetOf, printLine, reductionLine } from './simulator-lines.ts';
import { chipSizes, type MemorySizes, Symbols } from './symbols.ts';

/** How a source is read. */
export interface AssemblyOptions {
  /** Named in diagnostics. */
  readonly file?: string;
  /** 1 refuses `idp` and `rrn`; 2 allows them; absent, their presence makes the program one of type II. */
  readonly type?: 1 | 2;
  /** Lets through what the manual's own samples do against its rules: warnings instead of E_BM_SRC and E_IDP_REGION. */
  readonly legacy?: boolean;
  /** Hazards are errors: the assembly stops at the first. */
  readonly strictHazards?: boolean;
  readonly sizes?: MemorySizes;
  /** Operands of the register file that a slot may read; 2 on the chip. */
  readonly grfReadPorts?: number;
  /** Which short destinations round a result to 25 bits; any when absent (GRAPE specification 2.4). */
  readonly roundPolicy?: RoundPolicy;
  /** The known bug of the manual: `il` constants do not set their upper halves (GRAPE specification 0.1, C15). */
  readonly ilUpperBug?: boolean;
  /** Numbers that constants may name. */
  readonly variables?: ReadonlyMap<string, RubyNumber>;
}

/** An assembled program, and what there was to say about it. */
export interface Assembled {
  readonly program: Program;
  /** Warnings in the order of the lines, then hazards. */
  readonly diagnostics: readonly Diagnostic[];
  /** Short words in use in local and in broadcast memory. */
  readonly used: { readonly lm: number; readonly bm: number };
}

/**
 * Assembles a source without macros (GRAPE specification 3).
 *
 * Errors: `AssemblyError` for the first error; nothing was assembled then.
 */
export function assemble(source: string, options: AssemblyOptions = {}): Assembled {
  return new Assembler(options).assemble(source);
}

class Assembler {
  readonly #options: AssemblyOptions;
  readonly #diagnosticLog: DiagnosticLog;
  readonly #symbols: Symbols;
  readonly #sections: Record<SectionName, Item[]> = {
    preamble: [],
    initialization: [],
    loopInitialization: [],
    loopBody: [],
    loopFinalization: [],
  };
  #section: SectionName = 'preamble';
  #prefix = 'SING';
  #vlen = 4;
  #mi = 0;
  #mof = 0;
  #moi = 0;
  #packet: Packet | undefined;
  /** Operands that are constants: their addresses are known after the last line. */
  readonly #constantUses: { readonly line: number; readonly operand: Operand }[] = [];
  /** Regions that are looked up after the last line. */
  readonly #regionUses: { readonly line: number; readonly token: Token; readonly slot: Slot }[] = [];
  readonly #regionNames = new Map<string, { readonly line: number; readonly token: Token }>();
  #typeUse: { readonly line: number; readonly token: Token } | undefined;

  constructor(options: AssemblyOptions) {
    this.#options = options;
    this.#diagnosticLog = new DiagnosticLog(options.file ?? 'source.vsm');
    this.#symbols = new Symbols(options.sizes ?? chipSizes, options.ilUpperBug);
  }

  assemble(source: string): Assembled {
    for (const line of linesOf(source)) this.#line(line);
    this.#finishPacket();
    this.#checkRegions();
    const { type } = this.#options;
    if (type === 1 && this.#typeUse)
      this.#diagnosticLog.fail('E_TYPE', this.#typeUse.token, this.#typeUse.line);
    const program = this.#program(type ?? (this.#typeUse ? 2 : 1));
    const hazards = hazardsOf(program.sections);
    if (this.#options.strictHazards && hazards[0])
      this.#diagnosticLog.fail(hazards[0].code, hazards[0].text, hazards[0].line);
    return {
      program,
      diagnostics: [...this.#diagnosticLog.diagnostics, ...hazards],
      used: this.#symbols.used,
    };
  }

  #line({ number, components }: Line): void {
    this.#diagnosticLog.line = number;
    const firsts = components.map(([first]) => first?.text ?? '');
    if (firsts.includes('')) this.#diagnosticLog.fail('E_SYNTAX');
    if (components.length > 1) {
      const nop = firsts.indexOf('nop');
      if (nop >= 0) this.#diagnosticLog.fail('E_NOP_ALONE', components[nop]![0]);
      const alone = firsts.findIndex((word) => standaloneWords.includes(word));
      if (alone >= 0) this.#diagnosticLog.fail('E_PSEUDO_ALONE', components[alone]![0]);
    }
    const tokens = components[0] as readonly [Token, ...Token[]];
    const word = tokens[0].text;
    if (word !== 'FLT' && word !== 'FIX' && word !== 'HEX') this.#finishPacket();
    if (!this.#statement(word, tokens)) this.#slot(components);
  }

  /** Carries out a statement that stands alone. Returns false for a slot. */
  #statement(word: string, tokens: readonly [Token, ...Token[]]): boolean {
    const { line } = this.#diagnosticLog;
    switch (word) {
      case 'var':
      case 'bvar':
        declareVariable(tokens, this.#symbols, this.#diagnosticLog);
        return true;
      case 'evar':
        declareRegion(tokens, this.#symbols, this.#diagnosticLog);
        this.#regionNames.set(tokens[1]!.text, { line, token: tokens[1]! });
        return true;
      case 'alias':
        declareAlias(tokens, this.#symbols, this.#diagnosticLog);
        return true;
      case 'prefix':
        if (!/^[A-Za-z]\w*$/.test(tokens[1]?.text ?? '')) this.#diagnosticLog.fail('E_NAME', tokens[1]);
        if (tokens.length > 2) this.#diagnosticLog.fail('E_SYNTAX', tokens[2]);
        this.#prefix = tokens[1]!.text;
        return true;
      case 'vlen':
        this.#vlen = this.#number(tokens, 1, 4, 'E_VLEN');
        return true;
      case 'mi':
        this.#mi = this.#number(tokens, 0, 7, 'E_MASK');
        return true;
      case 'mof':
        this.#mof = this.#number(tokens, 0, 7, 'E_MASK');
        return true;
      case 'moi':
        this.#moi = this.#number(tokens, 0, 7, 'E_MASK');
        return true;
      case 'initialization':
      case 'loop':
        this.#section = this.#sectionOf(tokens);
        return true;
      case 'nop': {
        const count = tokens.length === 1 ? 1 : this.#number(tokens, 1, Number.MAX_SAFE_INTEGER, 'E_SYNTAX');
        this.#add({ kind: 'nop', line, vlen: this.#vlen, count });
        return true;
      }
      case 'IDP':
        this.#packet = packetOf(line, tokens, this.#around);
        return true;
      case 'FLT':
      case 'FIX':
      case 'HEX':
        this.#data(tokens);
        return true;
      case 'RRN':
        this.#add(reductionLine(line, tokens, this.#around));
        return true;
      case 'DBG':
        this.#add(dumpLine(line, tokens, this.#around));
        return true;
      case 'print':
        this.#add(printLine(line, tokens, this.#around));
        return true;
      default:
        return false;
    }
  }

  get #around(): Surroundings {
    const {
      sizes = chipSizes,
      variables = new Map(),
      legacy = false,
      roundPolicy = 'anyShort',
    } = this.#options;
    return {
      symbols: this.#symbols,
      sizes,
      variables,
      legacy,
      roundPolicy,
      diagnosticLog: this.#diagnosticLog,
      vlen: this.#vlen,
    };
  }

  #add(item: Item): void {
    this.#sections[this.#section].push(item);
  }

  #number(
    tokens: readonly Token[],
    least: number,
    most: number,
    code: 'E_VLEN' | 'E_MASK' | 'E_SYNTAX',
  ): number {
    const token = tokens[1];
    if (token === undefined || tokens.length > 2) this.#diagnosticLog.fail('E_SYNTAX', tokens[0]);
    const value = Number(token.text);
    if (!/^\d+$/.test(token.text) || value < least || value > most) this.#diagnosticLog.fail(code, token);
    return value;
  }

  #sectionOf(tokens: readonly [Token, ...Token[]]): SectionName {
    const words = tokens.map(({ text }) => text).join(' ');
    switch (words) {
      case 'initialization':
        return 'initialization';
      case 'loop initialization':
        return 'loopInitialization';
      case 'loop body':
        return 'loopBody';
      case 'loop finalization':
        return 'loopFinalization';
      default:
        return this.#diagnosticLog.fail('E_SECTION', tokens[1] ?? tokens[0]);
    }
  }

  #data(tokens: readonly [Token, ...Token[]]): void {
    const packet = this.#packet;
    // How many words a packet with words of its own for each block has is known to the machine alone.
    if (!packet || (!packet.seq && packet.words.length === packet.count))
      this.#diagnosticLog.fail('E_IDP_DATA', tokens[0]);
    packet.words.push(dataWord(tokens, packet.long, this.#around));
  }

  #finishPacket(): void {
    const packet = this.#packet;
    if (!packet) return;
    if (packet.words.length < packet.count || packet.words.length % packet.count !== 0)
      this.#diagnosticLog.fail('E_IDP_SHORT', packet.what, packet.line);
    this.#add(packet);
    this.#packet = undefined;
  }

  #slot(lists: readonly (readonly Token[])[]): void {
    const diagnosticLog = this.#diagnosticLog;
    const around = this.#around;
    const parsed = lists.map((tokens): Component => parseComponent(tokens, diagnosticLog));
    const components = parsed.map((component) => resolve(component, around));
    for (const component of components) checkRanges(component, around);
    this.#checkUnits(components);
    const slot = this.#built(components, around);
    checkPorts(components, this.#options.grfReadPorts ?? 2, diagnosticLog);
    warnOfWrites(components, diagnosticLog);
    for (const { operands } of components)
      for (const operand of operands)
        if (operand.constant) this.#constantUses.push({ line: slot.line, operand });
    this.#add(slot);
  }

  #checkUnits(components: readonly Resolved[]): void {
    const names = components.map(({ opcode }) =>
      opcode.unit === 'ialu' || opcode.unit === 'imm' ? 'fadd' : opcode.unit,
    );
    const twice = names.findIndex((name, at) => names.indexOf(name) < at);
    if (twice >= 0) this.#diagnosticLog.fail('E_UNIT_TWICE', components[twice]!.word);
    const imm = components.find(({ opcode }) => opcode.unit === 'imm');
    if (imm && components.length > 1) this.#diagnosticLog.fail('E_IMM_PARALLEL', imm.word);
  }

  #built(components: readonly Resolved[], around: Surroundings): Slot {
    const slot: { -readonly [K in keyof Slot]: Slot[K] } = {
      kind: 'slot',
      line: this.#diagnosticLog.line,
      vlen: this.#vlen,
      mi: this.#mi,
      mof: 0,
      moi: 0,
    };
    for (const component of components) {
      switch (component.opcode.unit) {
        case 'mul':
          slot.mul = multiplication(component, around);
          break;
        case 'fadd':
        case 'ialu':
        case 'imm':
          slot.add = addition(component, around);
          break;
        case 'bm':
          slot.bm = transfer(component, around);
          break;
        case 'idp': {
          const { token, ...idp } = inputTransfer(component, around);
          slot.idp = idp;
          this.#regionUses.push({ line: slot.line, token, slot });
          this.#typeUse ??= { line: slot.line, token: component.word };
          break;
        }
        case 'rrn':
          slot.rrn = reduction(component, around);
          this.#typeUse ??= { line: slot.line, token: component.word };
          break;
        default:
          component.opcode satisfies never;
      }
    }
    if (slot.mul || slot.add || slot.bm) this.#storeFlags(slot);
    return slot;
  }

  /** `mof` and `moi` belong to the next instruction of the PEs, and to no other (GRAPE specification 2.8). */
  #storeFlags(slot: { -readonly [K in keyof Slot]: Slot[K] }): void {
    if (this.#mof > 0 && !usesUnit(slot, 'fadd'))
      this.#diagnosticLog.warn('W_MASK_OUT_UNUSED', `mof ${this.#mof}`);
    else slot.mof = this.#mof;
    if (this.#moi > 0 && !usesUnit(slot, 'ialu'))
      this.#diagnosticLog.warn('W_MASK_OUT_UNUSED', `moi ${this.#moi}`);
    else slot.moi = this.#moi;
    this.#mof = 0;
    this.#moi = 0;
  }

  /** Regions and variables of broadcast memory are known only now. Errors: E_EVAR_ELT, E_IDP_REGION. */
  #checkRegions(): void {
    const { variables, regions } = this.#symbols;
    const numbers = new Set(
      [...variables.values()].flatMap(({ transfer }) => (transfer?.kind === 'elt' ? [transfer.num] : [])),
    );
    for (const { name, elt } of regions.values())
      if (!numbers.has(elt)) {
        const { line, token } = this.#regionNames.get(name)!;
        this.#diagnosticLog.fail('E_EVAR_ELT', token, line);
      }
    for (const { line, token, slot } of this.#regionUses) {
      const idp = slot.idp!;
      const region = [...regions.values()].find(({ name, elt }) =>
        idp.region === '' ? elt === idp.elt : name === idp.region,
      );
      if (!region) {
        if (!this.#options.legacy) this.#diagnosticLog.fail('E_IDP_REGION', token, line);
        this.#diagnosticLog.warn('W_IDP_REGION', token, line);
        // It transfers nothing; what else its slot does stays.
        Reflect.deleteProperty(slot, 'idp');
      } else Object.assign(idp, { elt: region.elt });
    }
  }

  #program(type: 1 | 2): Program {
    const constants = this.#symbols.placeConstants();
    const { lmShort } = this.#options.sizes ?? chipSizes;
    for (const { line, operand } of this.#constantUses) {
      const { addr, long } = constants[operand.constant!.index]!;
      if (addr + (long ? 2 : 1) > lmShort) this.#diagnosticLog.fail('E_OVERFLOW', operand.token, line);
      Object.assign(operand.ref, { addr });
    }
    const { variables, aliases, regions } = this.#symbols;
    return {
      prefix: this.#prefix,
      type,
      symbols: [...variables.values()],
      aliases: Object.fromEntries(aliases),
      constants,
      regions: [...regions.values()],
      sections: this.#sections,
    };
  }
}
