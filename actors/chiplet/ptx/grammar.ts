/**
 * The grammar of PTX texts (chiplet specification 7.1), in the notation of peggy.
 *
 * Details: `.version`, `.target`, `.address_size`, `.file` and `.loc` end with their line, everything else with a semicolon. What an instruction may
 * be is not the matter of the grammar: it takes any words and operands.
 */
export const ptxGrammar = String.raw`
{{
  const variable = (space, form, declared, at, external) =>
    declared.map((one) => ({ kind: 'variable', space, external, ...form, ...one, at }));

  /* Operators of constant expressions by precedence, the weakest first (PTX ISA, operator precedence). */
  const levels = ['||', '&&', '|', '^', '&', '== !=', '< <= > >=', '<< >>', '+ -', '* / %'].map((one) => one.split(' '));
  const operators = {
    '||': (a, b) => a || b ? 1 : 0, '&&': (a, b) => a && b ? 1 : 0, '|': (a, b) => a | b, '^': (a, b) => a ^ b, '&': (a, b) => a & b,
    '==': (a, b) => a === b, '!=': (a, b) => a !== b, '<': (a, b) => a < b, '<=': (a, b) => a <= b, '>': (a, b) => a > b, '>=': (a, b) => a >= b,
    '<<': (a, b) => b < 64n ? a << b : 0n, '>>': (a, b) => a >> b, '+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b, '/': (a, b) => a / b, '%': (a, b) => a % b,
  };
  /* Whole numbers have 64 bits, unsigned where one of them needs the last bit for its value. */
  const whole = (value, unsigned) => {
    const exact = typeof value === 'bigint' ? value : BigInt(Math.trunc(Number(value)));
    return { kind: 'whole', value: unsigned ? BigInt.asUintN(64, exact) : BigInt.asIntN(64, exact) };
  };
  const joined = (sign, a, b) => {
    if (a.kind === 'real' || b.kind === 'real') {
      const value = operators[sign](Number(a.value), Number(b.value));
      return typeof value === 'number' ? { kind: 'real', value } : whole(value, false);
    }
    return whole(operators[sign](a.value, b.value), a.value >= 2n ** 63n || b.value >= 2n ** 63n);
  };
  /* a, then signs and numbers by turns. */
  const evaluated = (list) => {
    for (const level of levels)
      for (let at = list.length - 2; at > 0; at -= 2)
        if (level.includes(list[at])) return joined(list[at], evaluated(list.slice(0, at)), evaluated(list.slice(at + 1)));
    return list[0];
  };
}}
{
  /* A division by zero has no value. */
  const tried = (work) => { try { return work(); } catch { error('expected a constant that has a value'); } };
  const counted = ({ kind, value }) => (kind === 'whole' ? Number(value) : error('expected a whole number'));
  const place = () => { const { start } = location(); return { line: start.line, column: start.column }; };
}

Text = _ items:(Item _)* { return items.flatMap(([item]) => item); }

Item
  = Ignored { return []; }
  / ".version" __ number:$[0-9.]+ Rest { return [{ kind: 'version', number }]; }
  / ".target" __ words:$[^\n;/]* Rest { return [{ kind: 'target', words: words.split(/[\s,]+/).filter(Boolean) }]; }
  / ".address_size" __ bits:$[0-9]+ Rest { return [{ kind: 'bits', bits: Number(bits) }]; }
  / ".alias" __ name:Name _ "," _ of:Name _ ";" { return [{ kind: 'alias', name, of, at: place() }]; }
  / linkage:Linkage item:(Routine / Data) {
      return item.map((one) => one.kind === 'variable' ? { ...one, external: linkage.includes('.extern') } : one);
    }

Linkage = words:((".visible" / ".extern" / ".weak" / ".common") !Letter _)* { return words.map(([word]) => word); }

Routine
  = word:(".entry" / ".func") !Letter _ results:(list:Formals _ { return list; })? name:Name _
    parameters:(list:Formals _ { return list; })? tuning:(one:Tuning { return one; })* body:(Body / ";" { return null; }) {
      return [{ kind: 'routine', entry: word === '.entry', name, parameters: parameters ?? [], results: results ?? [], body, ...Object.assign({}, ...tuning), at: place() }];
    }

Tuning
  = ".explicitcluster" !Letter _ { return { explicitCluster: true }; }
  / ".reqnctapercluster" __ first:Whole rest:(_ "," _ one:Whole { return one; })* _ {
      const [x, y = 1, z = 1] = [first, ...rest].map(Number);
      return { cluster: [x, y, z] };
    }
  / (".maxntid" / ".reqntid" / ".minnctapersm" / ".maxnreg" / ".maxnctapersm" / ".maxclusterrank") __ Whole (_ "," _ Whole)* _ { return {}; }
  / (".noreturn" / ".blocksareclusters" / ".unified" _ "(" [^)]* ")" / ".abi_preserve_control" __ Whole / ".abi_preserve" __ Whole) _ { return {}; }
  / ".pragma" _ String (_ "," _ String)* _ ";"? _ { return {}; }

Formals = "(" _ first:Formal? rest:(_ "," _ one:Formal { return one; })* _ ")" { return first ? [first, ...rest] : []; }

Formal = "." space:("param" / "reg") !Letter _ form:Form one:Declared { return variable(space, form, [one], place(), false)[0]; }

Body = "{" _ body:(Statement _)* "}" { return body.flatMap(([one]) => one); }

Statement
  = ".pragma" _ '"nounroll"' _ ";" { return [{ kind: 'rolled' }]; }
  / Ignored { return []; }
  / body:Body { return [{ kind: 'block', body }]; }
  / name:Name _ ":" _ ".branchtargets" __ first:Name rest:(_ "," _ one:Name { return one; })* _ ";" {
      return [{ kind: 'targets', name, labels: [first, ...rest], at: place() }];
    }
  / name:Name _ ":" _ ".callprototype" !Letter _ results:(list:Formals _ { return list; })? Name _ parameters:(list:Formals _ { return list; })? [^;]* ";" {
      return [{ kind: 'prototype', name, results: results ?? [], parameters: parameters ?? [], choice: null, at: place() }];
    }
  / name:Name _ ":" _ ".calltargets" __ first:Name rest:(_ "," _ one:Name { return one; })* _ ";" {
      return [{ kind: 'prototype', name, results: [], parameters: [], choice: [first, ...rest], at: place() }];
    }
  / name:Name _ ":" !":" { return [{ kind: 'label', name, at: place() }]; }
  / Data
  / Instruction

Data
  = "." space:("reg" / "param" / "global" / "shared" / "const" / "local") ("[" [0-9]+ "]")? !Letter _ form:Form
    first:Declared rest:(_ "," _ one:Declared { return one; })* _ ";" {
      return variable(space, form, [first, ...rest], place(), false);
    }

Form = words:(word:FormWord _ { return word; })* {
      const form = { align: 0, vector: 1, type: 'b8' };
      for (const word of words) Object.assign(form, word);
      return form;
    }

FormWord
  = ".align" __ bytes:$[0-9]+ { return { align: Number(bytes) }; }
  / ".v" count:[248] !Letter { return { vector: Number(count) }; }
  / ".ptr" !Letter (_ "." ("global" / "shared" / "const" / "local") !Letter)? { return {}; }
  / ".attribute" _ "(" [^)]* ")" { return {}; }
  / (".texref" / ".surfref" / ".samplerref") !Letter { return { type: 'b64', opaque: true }; }
  / "." type:$("pred" / [a-z] [0-9]+) !Letter { return { type }; }

Declared = name:Name _ count:("<" _ n:$[0-9]+ _ ">" { return Number(n); })? length:Extents values:(_ "=" _ one:Values { return one; })? {
      return { name, count: count ?? -1, length, values };
    }

Extents = extents:(_ "[" _ n:Constant? _ "]" { return n ? counted(n) : 0; })* {
      return extents.length === 0 ? -1 : extents.reduce((product, one) => product * one, 1);
    }

Values
  = "{" _ first:Values? rest:(_ "," _ one:Values { return one; })* _ ","? _ "}" { return first ? [first, ...rest].flat() : []; }
  / mask:$("0" [xX] Hex+) _ "(" _ one:Address _ ")" { return [{ ...one, mask: BigInt(mask) }]; }
  / !"WARP_SZ" one:Address { return [one]; }
  / one:Constant { return [one]; }

Address
  = "generic" _ "(" _ one:Placed _ ")" offset:Offset { return { ...one, offset: (one.offset ?? 0) + offset }; }
  / Placed

Instruction = guard:(one:Guard _ { return one; })? words:Words operands:(__ list:Operands { return list; })? _ ";" {
      return [{ kind: 'instruction', guard, words, operands: operands ?? [], at: place() }];
    }

Guard = "@" negated:"!"? _ name:Name { return { name, negated: negated !== null }; }

Words = first:$([a-z] [a-z0-9_]*) rest:("." word:$([A-Za-z0-9_]+ ("::" [A-Za-z0-9_]+)*) { return word; })* { return [first, ...rest]; }

Operands = first:Operand rest:(_ "," _ one:Operand { return one; })* { return [first, ...rest]; }

Operand
  = !"WARP_SZ" name:Name tail:(_ "|" _ second:Named { return second; } / Offset) {
      if (typeof tail !== 'number') return { kind: 'pair', first: { kind: 'name', name }, second: tail };
      return tail === 0 ? { kind: 'name', name } : { kind: 'name', name, offset: tail };
    }
  / &[-0-9~!+(W] !("(" _ Constant _ ")" _ [,;]) one:Constant &(_ [,;)}\]]) { return one; }
  / "(" _ first:Operand? rest:(_ "," _ one:Operand { return one; })* _ ")" { return { kind: 'list', parts: first ? [first, ...rest] : [] }; }
  / first:Vector second:(_ "|" _ one:Named { return one; })? { return second ? { kind: 'pair', first, second } : first; }
  / "[" _ base:Name offset:Offset _ "]" { return { kind: 'address', base, offset }; }
  / "[" _ offset:Whole _ "]" { return { kind: 'address', base: null, offset: Number(offset) }; }
  / "[" _ texture:Named rest:(_ "," _ one:Operand { return one; })+ _ "]" {
      const [coordinates, sampler = null] = [...rest].reverse();
      if (rest.length > 2 || (sampler !== null && sampler.kind !== 'name')) error('expected a texture, a sampler or none, and coordinates in braces');
      return { kind: 'texel', texture, sampler, coordinates: coordinates.kind === 'vector' ? coordinates.parts : [coordinates] };
    }
  / "!" _ name:Name { return { kind: 'negated', name }; }
  / "-" _ name:Register { return { kind: 'opposite', name }; }

Vector = "{" _ first:Operand rest:(_ "," _ one:Operand { return one; })* _ "}" { return { kind: 'vector', parts: [first, ...rest] }; }

Placed = name:Name offset:Offset { return { kind: 'name', name, ...(offset !== 0 && { offset }) }; }

Offset
  = _ first:Term rest:(_ one:Term { return one; })* { return rest.reduce((sum, one) => sum + one, first); }
  / "" { return 0; }

Term = sign:[-+] _ first:Unit rest:Products* {
      const value = counted(rest.length === 0 ? first : tried(() => evaluated([first, ...rest.flat()])));
      return sign === '-' ? -value : value;
    }

Constant
  = first:Unit rest:Joins* choice:(_ "?" _ yes:Constant _ ":" _ no:Constant { return [yes, no]; })? {
      const value = rest.length === 0 ? first : tried(() => evaluated([first, ...rest.flat()]));
      return choice ? choice[Number(value.value) === 0 ? 1 : 0] : value;
    }

Joins = _ &[-+*/%|&^<>=!] sign:("||" / "&&" / "<<" / ">>" / "==" / "!=" / "<=" / ">=" / [|^&<>+] / "-" / [*/%]) _ one:Unit { return [sign, one]; }
Products = _ sign:[*/%] _ one:Unit { return [sign, one]; }

Unit
  = Number
  / "WARP_SZ" !Letter { return whole(32n, false); }
  / "(" _ "." type:("s64" / "u64") _ ")" _ one:Unit { return tried(() => whole(one.value, type === 'u64')); }
  / "(" _ one:Constant _ ")" { return one; }
  / sign:[-~!+] _ one:Unit {
      if (sign === '+') return one;
      if (sign === '-') return one.kind === 'real' ? { kind: 'real', value: -one.value } : whole(-one.value, false);
      return whole(sign === '!' ? Number(one.value) === 0 : ~one.value, sign === '~' && one.value >= 2n ** 63n);
    }

Named = name:Name { return { kind: 'name', name }; }

Name "a name"
  = Register
  / $([A-Za-z_$] [A-Za-z0-9_$]*)

Register
  = $("%" Letter [A-Za-z0-9_$]* ("." ([xyzw] / [bh] [0-7]+) !Letter)?)

Number "a number"
  = sign:Minus "0" [fF] bits:$(Hex Hex Hex Hex Hex Hex Hex Hex) {
      return { kind: 'real', value: sign * new Float32Array(new Uint32Array([parseInt(bits, 16)]).buffer)[0] };
    }
  / sign:Minus "0" [dD] bits:$(Hex Hex Hex Hex Hex Hex Hex Hex Hex Hex Hex Hex Hex Hex Hex Hex) {
      return { kind: 'real', value: sign * new Float64Array(new BigUint64Array([BigInt('0x' + bits)]).buffer)[0] };
    }
  / sign:Minus text:$([0-9]+ ("." [0-9]* Power? / Power)) { return { kind: 'real', value: sign * Number(text) }; }
  / value:Whole { return { kind: 'whole', value }; }

Minus = sign:("-" _)? { return sign ? -1 : 1; }
Power = [eE] [-+]? [0-9]+

Whole
  = sign:"-"? _ text:$("0" [xX] Hex+ / "0" [bB] [01]+) "U"? { return sign ? -BigInt(text) : BigInt(text); }
  / sign:"-"? _ "0" digits:$[0-7]+ "U"? { const value = BigInt('0o' + digits); return sign ? -value : value; }
  / sign:"-"? _ text:$[0-9]+ "U"? { return sign ? -BigInt(text) : BigInt(text); }

Ignored
  = (".file" / ".loc") !Letter Rest
  / ".pragma" !Letter _ String (_ "," _ String)* _ ";"
  / "@@DWARF" Rest
  / ".section" !Letter [^{]* "{" [^}]* "}"

String = '"' [^"]* '"'
Rest = [^\n]*
Letter = [A-Za-z0-9_$]
Hex = [0-9a-fA-F]
__ = Blank+
_ "" = Blank*
Blank = [ \t\r\n\u00a0\ufeff] / "//" [^\n]* / "/*" (!"*/" .)* "*/"
`;
