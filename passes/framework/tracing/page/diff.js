// Line diffs of texts, which are arrays of numbers: equal lines have equal numbers.
//
// Lines that occur once on either side are matched first (patience diff): a reader would match these. The lines between
// them go through Myers' greedy algorithm (E. Myers, An O(ND) Difference Algorithm, 1986), up to a number of edits;
// beyond it a stretch counts as replaced as a whole.

const MOST_EDITS = 400;

// For each line of `a` the line of `b` that it is matched with, or -1. Matches do not cross.
function matchLines(a, b) {
  const matches = new Int32Array(a.length).fill(-1);
  const work = [[0, a.length, 0, b.length]];
  while (work.length) {
    let [a0, a1, b0, b1] = work.pop();
    while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) matches[a0++] = b0++;
    while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) matches[--a1] = --b1;
    if (a0 === a1 || b0 === b1) continue;
    const anchors = uniqueMatches(a, a0, a1, b, b0, b1);
    if (anchors.length === 0) {
      matchGreedily(a, a0, a1, b, b0, b1, matches);
      continue;
    }
    let [i, j] = [a0, b0];
    for (const [k, l] of anchors) {
      matches[k] = l;
      work.push([i, k, j, l]);
      [i, j] = [k + 1, l + 1];
    }
    work.push([i, a1, j, b1]);
  }
  return matches;
}

// The longest increasing sequence of pairs of lines that occur once in both ranges.
function uniqueMatches(a, a0, a1, b, b0, b1) {
  const positions = new Map();
  for (let i = a0; i < a1; i++) positions.set(a[i], positions.has(a[i]) ? null : { i, j: -1 });
  for (let j = b0; j < b1; j++) {
    const position = positions.get(b[j]);
    if (!position) continue;
    if (position.j === -1) position.j = j;
    else positions.set(b[j], null);
  }
  const pairs = [...positions.values()].filter((position) => position && position.j >= 0); // in the order of i
  const ends = []; // ends[n]: the pair with the least j that ends a sequence of n + 1 pairs
  for (const pair of pairs) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle].j < pair.j) low = middle + 1;
      else high = middle;
    }
    pair.previous = low ? ends[low - 1] : null;
    ends[low] = pair;
  }
  const sequence = [];
  for (let pair = ends.at(-1); pair; pair = pair.previous) sequence.push([pair.i, pair.j]);
  return sequence.reverse();
}

// Myers' algorithm: `furthest[k]` is how far into `a` the diagonal k can be followed with the edits made so far.
function matchGreedily(a, a0, a1, b, b0, b1, matches) {
  const [n, m] = [a1 - a0, b1 - b0];
  const most = Math.min(n + m, MOST_EDITS);
  const furthest = new Int32Array(2 * most + 3);
  const history = [];
  for (let edits = 0; edits <= most; edits++) {
    history.push(furthest.slice(most - edits, most + edits + 3));
    for (let k = -edits; k <= edits; k += 2) {
      const at = most + 1 + k;
      const down = k === -edits || (k !== edits && furthest[at - 1] < furthest[at + 1]);
      let x = down ? furthest[at + 1] : furthest[at - 1] + 1;
      let y = x - k;
      while (x < n && y < m && a[a0 + x] === b[b0 + y]) x++, y++;
      furthest[at] = x;
      if (x >= n && y >= m) return traceBack(history, n, m, a0, b0, matches);
    }
  }
}

function traceBack(history, n, m, a0, b0, matches) {
  let [x, y] = [n, m];
  for (let edits = history.length - 1; edits >= 0; edits--) {
    const furthest = history[edits]; // diagonals -edits - 1 to edits + 1
    const k = x - y;
    const at = k + edits + 1;
    const down = k === -edits || (k !== edits && furthest[at - 1] < furthest[at + 1]);
    const start = edits === 0 ? 0 : down ? furthest[at + 1] : furthest[at - 1] + 1;
    while (x > start) matches[a0 + --x] = b0 + --y;
    if (down) y--;
    else x--;
  }
}
