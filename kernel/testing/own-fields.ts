import ts from 'typescript';

/** A class whose objects are part of the state of an actor: its states are told apart by `hash`, and copied by `fork`. */
type ResourceClass = abstract new (...given: never[]) => { hash(into: never): void };

/**
 * The fields of a class that one of its methods never names, in the order of their names. What a method leaves out must be fixed for ever, or follow from
 * the rest: two states that differ in it alone would be taken for one.
 *
 * Details: read from the text of the class as it was loaded. A method that is called by the method counts as its part.
 */
export function fieldsNotIn(resource: ResourceClass, method: 'hash' | 'fork'): readonly string[] {
  const source = ts.createSourceFile('class.js', `(${resource})`, ts.ScriptTarget.ES2023, true);
  const fields = new Set<string>();
  const bodies = new Map<string, ts.Node>();
  const find = (node: ts.Node): void => {
    if (!ts.isClassLike(node)) {
      ts.forEachChild(node, find);
      return;
    }
    for (const member of node.members) {
      const name = member.name?.getText(source) ?? '';
      if (ts.isPropertyDeclaration(member)) fields.add(name);
      else if (ts.isMethodDeclaration(member)) bodies.set(name, member);
      else if (ts.isConstructorDeclaration(member)) {
        for (const one of assigned(member, source)) fields.add(one);
      }
    }
  };
  find(source);
  const named = new Set<string>();
  const read = (name: string): void => {
    const body = bodies.get(name);
    if (body === undefined || named.has(`${name}()`)) return;
    named.add(`${name}()`);
    const visit = (node: ts.Node): void => {
      if (ts.isPropertyAccessExpression(node) || ts.isBindingElement(node)) {
        const own = node.name.getText(source);
        named.add(own);
        read(own);
      }
      ts.forEachChild(node, visit);
    };
    visit(body);
  };
  read(method);
  return [...fields].filter((field) => !named.has(field)).sort();
}

/** Names that a constructor gives to the object. */
function assigned(node: ts.Node, source: ts.SourceFile): readonly string[] {
  const found: string[] = [];
  const visit = (one: ts.Node): void => {
    if (
      ts.isBinaryExpression(one) &&
      one.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      ts.isPropertyAccessExpression(one.left) &&
      one.left.expression.kind === ts.SyntaxKind.ThisKeyword
    )
      found.push(one.left.name.getText(source));
    ts.forEachChild(one, visit);
  };
  visit(node);
  return found;
}
