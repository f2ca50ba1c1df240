import ts from 'typescript';

/** The ways in which one place of a source is changed. */
export const operatorNames = [
  'boundary',
  'relational',
  'arithmetic',
  'logical',
  'boolean',
  'constant',
  'negated condition',
  'forgotten case',
  'forgotten entry',
  'removed assignment',
  'removed call',
  'removed reset',
  'removed statement',
  'rounding',
  'swapped arguments',
  'tie',
] as const;

export type OperatorName = (typeof operatorNames)[number];

/** One change of a source text. */
export interface Mutation {
  readonly operator: OperatorName;
  /** Characters of the text that are replaced: from `start` on, before `end`. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** Whether the place holds an expression or statements: what notes that it was reached has to fit there. `data` cannot take a note. */
  readonly form: 'expression' | 'statement' | 'data';
}

const boundaries = new Map([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
]);
const relations = new Map([
  [ts.SyntaxKind.LessThanToken, '>='],
  [ts.SyntaxKind.LessThanEqualsToken, '>'],
  [ts.SyntaxKind.GreaterThanToken, '<='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '<'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
]);
const arithmetic = new Map([
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
  [ts.SyntaxKind.PercentToken, '*'],
  [ts.SyntaxKind.LessThanLessThanToken, '>>'],
  [ts.SyntaxKind.GreaterThanGreaterThanToken, '<<'],
  [ts.SyntaxKind.GreaterThanGreaterThanGreaterThanToken, '<<'],
  [ts.SyntaxKind.AmpersandToken, '|'],
  [ts.SyntaxKind.BarToken, '&'],
  [ts.SyntaxKind.PlusEqualsToken, '-='],
  [ts.SyntaxKind.MinusEqualsToken, '+='],
  [ts.SyntaxKind.AsteriskEqualsToken, '/='],
]);
const logic = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
]);

/** Methods that choose among equals, and those that choose the other one. */
const ties = new Map([
  ['find', 'findLast'],
  ['findLast', 'find'],
  ['findIndex', 'findLastIndex'],
  ['findLastIndex', 'findIndex'],
  ['indexOf', 'lastIndexOf'],
  ['lastIndexOf', 'indexOf'],
  ['shift', 'pop'],
  ['pop', 'shift'],
]);
const mathOpposites = new Map([
  ['min', { name: 'max', operator: 'tie' }],
  ['max', { name: 'min', operator: 'tie' }],
  ['floor', { name: 'ceil', operator: 'rounding' }],
  ['ceil', { name: 'floor', operator: 'rounding' }],
  ['round', { name: 'floor', operator: 'rounding' }],
  ['trunc', { name: 'ceil', operator: 'rounding' }],
] as const satisfies [string, { name: string; operator: OperatorName }][]);

/** Functions of which the order of arguments is no matter: swapped, they are the same. So are the values of a kind of fields. */
const symmetric = /^(?:Math\.(?:min|max|hypot|imul)|field\.oneOf)$/;
/** A text that tells somebody what is wrong. */
const complaint = /\b(?:found|expected)\b/;

/** Entries of a state table that somebody may forget. */
const forgettable = new Set(['guard', 'actions', 'entry', 'exit', 'always']);
/** Calls that give back or forget. */
const resetting = /(?:^|\.)(?:clear|delete|reset|fill|release\w*|free\w*|cancel\w*|forget\w*)$/i;
/** What is said about a defect of the program itself, or for people, is not behaviour. */
const assertions = /^(?:invariant|console\.\w+|assert\w*)$/;

/** All single changes of a module by the standard operators, in the order of its text. Types, imports, assertions and schema descriptions stay. */
export function mutationsOf(source: ts.SourceFile): readonly Mutation[] {
  const found: Mutation[] = [];
  const text = (node: ts.Node) => node.getText(source);
  const change = (
    operator: OperatorName,
    node: ts.Node,
    replacement: string,
    form: Mutation['form'] = 'expression',
  ) => {
    if (replacement !== text(node))
      found.push({ operator, start: node.getStart(source), end: node.getEnd(), replacement, form });
  };

  function binary(node: ts.BinaryExpression): void {
    const { left, right, operatorToken } = node;
    const kind = operatorToken.kind;
    const [a, b] = [text(left), text(right)];
    for (const [operator, others] of [
      ['boundary', boundaries],
      ['relational', relations],
      ['arithmetic', arithmetic],
      ['logical', logic],
    ] as const) {
      const other = others.get(kind);
      if (other === undefined || (operator === 'boundary' && isExtreme(node))) continue;
      // `a && b || c` needs its parentheses when one of the two changes.
      const [x, y] = operator === 'logical' ? [`(${a})`, `(${b})`] : [a, b];
      change(operator, node, `${x} ${other} ${y}`);
    }
  }

  function call(node: ts.CallExpression): void {
    const callee = text(node.expression);
    const args = node.arguments;
    for (let i = 0; i + 1 < args.length && !symmetric.test(callee); i++) {
      const [first, second] = [args[i]!, args[i + 1]!];
      if (text(first) === text(second) || isFunction(first) || isFunction(second)) continue;
      const swapped = args.map((arg, at) => text(at === i ? second : at === i + 1 ? first : arg));
      const types = node.typeArguments ? `<${node.typeArguments.map(text).join(', ')}>` : '';
      change('swapped arguments', node, `${callee}${types}(${swapped.join(', ')})`);
    }
    if (!ts.isPropertyAccessExpression(node.expression)) return;
    const { expression: object, name } = node.expression;
    const [whole, method] = [text(node), text(name)];
    const from = name.getStart(source) - node.getStart(source);
    const renamed = (other: string) => whole.slice(0, from) + other + whole.slice(from + method.length);
    const opposite = text(object) === 'Math' ? mathOpposites.get(method as 'min') : undefined;
    if (opposite) change(opposite.operator, node, renamed(opposite.name));
    else if (ties.has(method)) change('tie', node, renamed(ties.get(method)!));
    else if (method === 'at' && args.length === 1 && /^-1$|^0$/.test(text(args[0]!)))
      change(
        'tie',
        node,
        renamed('at').replace(/\((-1|0)\)$/, (_, index) => (index === '0' ? '(-1)' : '(0)')),
      );
    else if ((method === 'sort' || method === 'toSorted') && args.length === 1)
      change('tie', node, `${text(object)}.${method}((one, other) => (${text(args[0]!)})(other, one))`);
    else if (method === 'toReversed') change('tie', node, text(object));
  }

  function statement(node: ts.Statement): void {
    if (ts.isExpressionStatement(node)) {
      const { expression } = node;
      if (isAssignment(expression)) change(removalOf(expression, source), node, '', 'statement');
      else if (isStep(expression)) change('removed assignment', node, '', 'statement');
      else if (ts.isDeleteExpression(expression)) change('removed reset', node, '', 'statement');
      else if (ts.isCallExpression(expression)) {
        const resets = resetting.test(text(expression.expression));
        change(resets ? 'removed reset' : 'removed call', node, '', 'statement');
      }
    } else if (ts.isReturnStatement(node) && !node.expression && !isLast(node))
      change('removed statement', node, '', 'statement');
    else if (ts.isContinueStatement(node) || (ts.isBreakStatement(node) && !ts.isCaseClause(node.parent)))
      change('removed statement', node, '', 'statement');
    else if (ts.isIfStatement(node)) {
      change('negated condition', node.expression, `!(${text(node.expression)})`);
      if (node.elseStatement) change('forgotten case', node.elseStatement, '{}', 'statement');
      else if (!isOnlyExit(node.thenStatement))
        change('forgotten case', node.thenStatement, '{}', 'statement');
      else change('removed statement', node, '', 'statement');
    } else if (ts.isThrowStatement(node)) return;
  }

  function clause(node: ts.CaseClause): void {
    // A label alone joins the next clause: without it those values fall to the default.
    const whole = node.statements.length > 0;
    const before = node.parent.clauses[node.parent.clauses.indexOf(node) - 1];
    const joined = before && before.statements.length === 0;
    // Of several labels on one clause only the last can go with the body without changing what the others do.
    if (!whole || !joined) change('forgotten case', node, '', 'data');
  }

  function list(node: ts.ArrayLiteralExpression): void {
    const { elements } = node;
    if (elements.length < 2 || !isTable(node)) return;
    for (const [index, one] of elements.entries()) {
      if (!ts.isStringLiteral(one) && !ts.isObjectLiteralExpression(one)) return;
      const rest = elements.filter((_, at) => at !== index).map(text);
      change('forgotten entry', node, `[${rest.join(', ')}]`, 'data');
    }
  }

  /** `if (a > b) b = a;` or `a > b ? a : b`: of two that are equal either is the larger one. */
  function isExtreme({ left, right, parent }: ts.BinaryExpression): boolean {
    const sides = (one: ts.Node, other: ts.Node) => [text(one), text(other)].sort().join('\n');
    const compared = sides(left, right);
    if (ts.isConditionalExpression(parent)) return sides(parent.whenTrue, parent.whenFalse) === compared;
    if (!ts.isIfStatement(parent) || parent.elseStatement) return false;
    const { thenStatement: then } = parent;
    const only = ts.isBlock(then) && then.statements.length === 1 ? then.statements[0]! : then;
    if (!ts.isExpressionStatement(only) || !isAssignment(only.expression)) return false;
    const { left: to, right: value, operatorToken } = only.expression;
    return operatorToken.kind === ts.SyntaxKind.EqualsToken && sides(to, value) === compared;
  }

  const isAssertion = (node: ts.Node) => ts.isCallExpression(node) && assertions.test(text(node.expression));

  function visit(node: ts.Node): void {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (isAssertion(node)) return;
    if (ts.isThrowStatement(node)) return;
    if (ts.isTemplateExpression(node) && complaint.test(text(node))) return;
    if (ts.isCallExpression(node) && /\.(describe|meta)$/.test(text(node.expression))) {
      // What a schema says for people stays; the schema itself does not.
      visit(node.expression);
      return;
    }
    if (ts.isExpressionStatement(node) && isAssertion(node.expression)) return;
    if (ts.isStatement(node)) statement(node);
    if (ts.isBinaryExpression(node)) binary(node);
    else if (ts.isCallExpression(node)) call(node);
    else if (ts.isConditionalExpression(node))
      change('negated condition', node.condition, `!(${text(node.condition)})`);
    else if (ts.isWhileStatement(node))
      change('negated condition', node.expression, `!(${text(node.expression)})`);
    else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      change('boolean', node, `(${text(node.operand)})`);
    else if (node.kind === ts.SyntaxKind.TrueKeyword) change('boolean', node, 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) change('boolean', node, 'true');
    else if (ts.isNumericLiteral(node)) constant(node);
    else if (ts.isCaseClause(node)) clause(node);
    else if (ts.isArrayLiteralExpression(node)) list(node);
    else if (
      ts.isPropertyAssignment(node) &&
      forgettable.has(text(node.name)) &&
      !isFunction(node.initializer)
    )
      entry(node);
    ts.forEachChild(node, visit);
  }

  function entry(node: ts.PropertyAssignment): void {
    const [start, end] = [node.getStart(source), node.getEnd()];
    const comma = /^\s*,/.exec(source.text.slice(end))?.[0].length ?? 0;
    found.push({ operator: 'forgotten entry', start, end: end + comma, replacement: '', form: 'data' });
  }

  function constant(node: ts.NumericLiteral): void {
    const { parent } = node;
    if (ts.isEnumMember(parent) || (ts.isPropertyAssignment(parent) && parent.name === node)) return;
    if (ts.isBindingElement(parent) && parent.propertyName === node) return;
    const value = Number(text(node).replaceAll('_', ''));
    if (!Number.isSafeInteger(value)) return;
    change('constant', node, String(value + 1));
    if (value > 0) change('constant', node, String(value - 1));
  }

  visit(source);
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

const isFunction = (node: ts.Node): boolean => ts.isArrowFunction(node) || ts.isFunctionExpression(node);

const isAssignment = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
  node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;

const isStep = (node: ts.Node): boolean =>
  (ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node)) &&
  (node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken);

/** Assigning what is empty is a reset. */
const removalOf = ({ right, operatorToken }: ts.BinaryExpression, source: ts.SourceFile): OperatorName =>
  operatorToken.kind === ts.SyntaxKind.EqualsToken &&
  /^(?:-?\d+|null|undefined|true|false|\[\]|\{\}|''|new (?:Map|Set)\(\)|canonical)$/.test(
    right.getText(source),
  )
    ? 'removed reset'
    : 'removed assignment';

/** An array in a table of states: of actions, of guarded transitions, of tags. */
function isTable(node: ts.ArrayLiteralExpression): boolean {
  const { parent } = node;
  return (
    ts.isPropertyAssignment(parent) &&
    (ts.isStringLiteral(parent.name) ||
      /^(actions|entry|exit|always|tags|on\w*)$/.test(parent.name.getText()))
  );
}

const isLast = (node: ts.Statement): boolean =>
  ts.isBlock(node.parent) && node.parent.statements.at(-1) === node && ts.isFunctionLike(node.parent.parent);

/** Only leaves what it is in: `if (…) return;`. */
const isOnlyExit = (node: ts.Statement): boolean =>
  ts.isReturnStatement(node) || ts.isContinueStatement(node) || ts.isBreakStatement(node);
