type Value = bigint | number;

/** Integers stay integers with each other; a float makes a float (GRAPE specification 2.11). */
function of(op: string, a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    const down = (a - (((a % b || 0n) + b) % b)) / (b || 1n);
    switch (op) {
      case '+':
        return a + b;
      case '-':
        return a - b;
      case '*':
        return a * b;
      case '/':
        return down;
      case '%':
        return a - down * b;
      default:
        return a ** b;
    }
  }
  const [x, y] = [Number(a), Number(b)];
  switch (op) {
    case '+':
      return x + y;
    case '-':
      return x - y;
    case '*':
      return x * y;
    case '/':
      return x / y;
    case '%':
      return x - Math.floor(x / y) * y;
    default:
      return x ** y;
  }
}

/** The value of the text of a constant: numbers, + - * / ** %, parentheses, signs, Math.sqrt, Math::PI (GRAPE specification 2.11). */
export function valueOfExpression(text: string): Value {
  const words =
    text.match(/\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+|Math::PI|Math\.sqrt|\*\*|[-+*/%()]/g) ?? [];
  let at = 0;
  const takes = (...all: string[]): string | undefined =>
    all.includes(words[at] ?? '') ? words[at++] : undefined;
  const atom = (): Value => {
    const word = words[at++]!;
    if (word === '(') {
      const inner = sum();
      at++;
      return inner;
    }
    if (word === 'Math::PI') return Math.PI;
    if (word === 'Math.sqrt') return Math.sqrt(Number(atom()));
    return /^\d+$/.test(word) ? BigInt(word) : Number(word);
  };
  const signed = (): Value => {
    if (takes('-')) {
      const value = signed();
      return typeof value === 'bigint' ? -value : -value;
    }
    if (takes('+')) return signed();
    const base = atom();
    return takes('**') ? of('**', base, signed()) : base;
  };
  const chain = (next: () => Value, ...ops: string[]): Value => {
    let value = next();
    for (let op = takes(...ops); op !== undefined; op = takes(...ops)) value = of(op, value, next());
    return value;
  };
  const sum = (): Value => chain(() => chain(signed, '*', '/', '%'), '+', '-');
  return sum();
}
