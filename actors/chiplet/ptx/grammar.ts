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
}}
{
  const place = () => { const { start } = location(); return { line: start.line, column: start.column }; };
}

Text = _ items:(Item _)* { return items.flatMap(([item]) => item); }

Item
  = Ignored { return []; }
  / ".version" __ number:$[0-9.]+ Rest { return [{ kind: 'version', number }]; }
  / ".target" __ words:$[^\n;/]* Rest { return [{ kind: 'target', words: words.split(/[\s,]+/).filter(Boolean) }]; }
  / ".address_size" __ bits:$[0-9]+ Rest { return [{ kind: 'bits', bits: Number(bits) }]; }
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
  = Ignored { return []; }
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
  = "." space:("reg" / "param" / "global" / "shared" / "const" / "local") bank:("[" [0-9]+ "]")? !Letter _ form:Form
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

Extents = extents:(_ "[" _ n:$[0-9]* _ "]" { return Number(n); })* {
      return extents.length === 0 ? -1 : extents.reduce((product, one) => product * one, 1);
    }

Values
  = "{" _ first:Values? rest:(_ "," _ one:Values { return one; })* _ ","? _ "}" { return first ? [first, ...rest].flat() : []; }
  / mask:$("0" [xX] Hex+) _ "(" _ one:Address _ ")" { return [{ ...one, mask: BigInt(mask) }]; }
  / one:Address { return [one]; }
  / one:Number { return [one]; }

Address = "generic" _ "(" _ one:Placed _ ")" { return one; } / Placed

Instruction = guard:(one:Guard _ { return one; })? words:Words operands:(__ list:Operands { return list; })? _ ";" {
      return [{ kind: 'instruction', guard, words, operands: operands ?? [], at: place() }];
    }

Guard = "@" negated:"!"? _ name:Name { return { name, negated: negated !== null }; }

Words = first:$([a-z] [a-z0-9_]*) rest:("." word:$([A-Za-z0-9_]+ ("::" [A-Za-z0-9_]+)*) { return word; })* { return [first, ...rest]; }

Operands = first:Operand rest:(_ "," _ one:Operand { return one; })* { return [first, ...rest]; }

Operand
  = "(" _ first:Operand? rest:(_ "," _ one:Operand { return one; })* _ ")" { return { kind: 'list', parts: first ? [first, ...rest] : [] }; }
  / "{" _ first:Operand rest:(_ "," _ one:Operand { return one; })* _ "}" { return { kind: 'vector', parts: [first, ...rest] }; }
  / "[" _ base:Name offset:Offset _ "]" { return { kind: 'address', base, offset }; }
  / "[" _ offset:Whole _ "]" { return { kind: 'address', base: null, offset: Number(offset) }; }
  / "[" _ texture:Named rest:(_ "," _ one:Operand { return one; })+ _ "]" {
      const [coordinates, sampler = null] = [...rest].reverse();
      if (rest.length > 2 || (sampler !== null && sampler.kind !== 'name')) error('expected a texture, a sampler or none, and coordinates in braces');
      return { kind: 'texel', texture, sampler, coordinates: coordinates.kind === 'vector' ? coordinates.parts : [coordinates] };
    }
  / "!" _ name:Name { return { kind: 'negated', name }; }
  / first:Named _ "|" _ second:Named { return { kind: 'pair', first, second }; }
  / Number
  / Placed

Placed = name:Name offset:Offset { return { kind: 'name', name, ...(offset !== 0 && { offset }) }; }

Offset
  = _ "+" _ value:Whole { return Number(value); }
  / _ "-" _ value:Whole { return -Number(value); }
  / "" { return 0; }

Named = name:Name { return { kind: 'name', name }; }

Name "a name"
  = $("%" Letter [A-Za-z0-9_$]* ("." ([xyzw] / "b" [0-3] / "h" [01]) !Letter)?)
  / $([A-Za-z_$] [A-Za-z0-9_$]*)

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
