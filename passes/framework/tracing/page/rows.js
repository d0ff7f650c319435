// Rows of a side-by-side diff, and the elements that show them.

const SAME = 0;
const MODIFIED = 1;
const REMOVED = 2;
const ADDED = 3;
const CLASSES = ["same", "modified", "removed", "added"];
const CONTEXT = 4;

const TOKEN = /%[\w.$-]+|@[\w.$-]+|"[^"]*"|[A-Za-z_][\w.]*|\d+|\s+|[^]/g;

// The shape of a line: the line without the names of values and numbers, by which renamed lines are recognised.
class Shapes {
  constructor(lines) {
    this.lines = lines;
    this.shapes = new Int32Array(lines.length).fill(-1);
    this.known = new Map();
  }

  of(text) {
    return text.map((line) => {
      if (this.shapes[line] === -1) {
        const shape = this.lines[line].replace(/%[\w.$-]+/g, "%").replace(/\d+/g, "0");
        if (!this.known.has(shape)) this.known.set(shape, this.known.size);
        this.shapes[line] = this.known.get(shape);
      }
      return this.shapes[line];
    });
  }
}

// The rows of a diff: { left, right, kind }, arrays of line indices (-1: none) and kinds.
function diffRows(a, b, shapes) {
  const left = [];
  const right = [];
  const kind = [];
  const push = (i, j, how) => (left.push(i), right.push(j), kind.push(how));
  const pushReplaced = (a0, a1, b0, b1) => {
    while (a0 < a1 && b0 < b1) push(a0++, b0++, MODIFIED);
    while (a0 < a1) push(a0++, -1, REMOVED);
    while (b0 < b1) push(-1, b0++, ADDED);
  };
  // Lines of one shape stand beside one another, and what lies between them is paired in order.
  const pushChanged = (a0, a1, b0, b1) => {
    const alike = matchLines(shapes.of(a.subarray(a0, a1)), shapes.of(b.subarray(b0, b1)));
    let [i, j] = [a0, b0];
    alike.forEach((to, from) => {
      if (to === -1) return;
      pushReplaced(i, a0 + from, j, b0 + to);
      [i, j] = [a0 + from, b0 + to];
      push(i++, j++, MODIFIED);
    });
    pushReplaced(i, a1, j, b1);
  };
  let [i, j] = [0, 0];
  matchLines(a, b).forEach((to, from) => {
    if (to === -1) return;
    if (i < from || j < to) pushChanged(i, from, j, to);
    push(from, to, SAME);
    [i, j] = [from + 1, to + 1];
  });
  if (i < a.length || j < b.length) pushChanged(i, a.length, j, b.length);
  return { left, right, kind };
}

// Stretches of rows, { start, end, fold }: unchanged ones away from changes are folded.
function stretches(kind, folds) {
  const result = [];
  for (let start = 0; start < kind.length; ) {
    let end = start;
    while (end < kind.length && (kind[end] === SAME) === (kind[start] === SAME)) end++;
    const from = start === 0 ? 0 : start + CONTEXT;
    const to = end === kind.length ? end : end - CONTEXT;
    if (folds && kind[start] === SAME && to - from > 3 && end - start < kind.length) {
      if (start < from) result.push({ start, end: from, fold: false });
      result.push({ start: from, end: to, fold: true });
      if (to < end) result.push({ start: to, end, fold: false });
    } else {
      result.push({ start, end, fold: false });
    }
    start = end;
  }
  return result;
}

// The first rows of changes, as numbers of rows.
function changeStarts(kind) {
  const starts = [];
  kind.forEach((how, row) => {
    if (how !== SAME && (row === 0 || kind[row - 1] === SAME)) starts.push(row);
  });
  return starts;
}

function element(tag, properties = {}, ...children) {
  const result = Object.assign(document.createElement(tag), properties);
  result.append(...children);
  return result;
}

function tokenClass(token) {
  if (token[0] === "%") return "value";
  if (token[0] === "@") return "symbol";
  if (token[0] === '"') return "string";
  if (/^\d/.test(token)) return "literal";
  return /^[a-z_]\w*\.[a-z]/.test(token) ? "op" : "";
}

// A line's text as elements; the tokens from `first` up to `last` are what differs from the other side.
function renderLine(code, tokens, first, last, className) {
  let target = code;
  tokens.forEach((token, index) => {
    if (index === first && last > first) code.append((target = element("span", { className })));
    if (index === last) target = code;
    const kind = tokenClass(token);
    target.append(kind ? element("span", { className: kind }, token) : token);
  });
}

// The number of tokens that two lines share at their starts, and the positions from which their ends are equal.
function differing(a, b) {
  let first = 0;
  while (first < a.length && first < b.length && a[first] === b[first]) first++;
  let [endA, endB] = [a.length, b.length];
  while (endA > first && endB > first && a[endA - 1] === b[endB - 1]) endA--, endB--;
  return [first, endA, endB];
}

function tokensOf(line) {
  return line === undefined ? [] : (line.match(TOKEN) ?? []);
}

// Let a long line go on beside where it began, rather than at the margin.
function hang(code, line) {
  if (line.length < 40) return;
  const indent = line.search(/\S|$/) + 4;
  code.style.paddingLeft = `${indent}ch`;
  code.style.textIndent = `-${indent}ch`;
}

// The element of a row with these two lines; undefined is no line.
function renderRow(how, leftNumber, leftLine, rightNumber, rightLine) {
  const row = element("div", { className: `row ${CLASSES[how]}` });
  const [a, b] = [tokensOf(leftLine), tokensOf(rightLine)];
  const [first, endA, endB] = how === MODIFIED ? differing(a, b) : [0, 0, 0];
  for (const [number, line, tokens, last] of [[leftNumber, leftLine, a, endA], [rightNumber, rightLine, b, endB]]) {
    const code = element("code");
    if (line === undefined) code.className = "none";
    else hang(code, line);
    renderLine(code, tokens, first, last, "differs");
    row.append(element("span", { className: "number" }, line === undefined ? "" : String(number + 1)), code);
  }
  return row;
}

// The element of a row of code that is compared with nothing.
function renderSingle(number, line) {
  const code = element("code");
  hang(code, line);
  renderLine(code, tokensOf(line), 0, 0, "");
  const shown = element("span", { className: "number" }, String(number + 1));
  return element("div", { className: "row single" }, shown, code);
}
