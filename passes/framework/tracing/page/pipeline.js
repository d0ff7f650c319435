// The list of passes at the left, and the summary of the shown pass.

const PHASES = ["from graphs to loops", "storage", "loops", "clean-up"];

function milliseconds(seconds) {
  const time = 1e3 * seconds;
  return time >= 1e3 ? `${seconds.toFixed(2)} s` : `${time.toFixed(time < 10 ? 1 : 0)} ms`;
}

function signed(number) {
  return number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "±0";
}

function groupTitle(step) {
  if (step.kind === "code") return "Lowered code";
  if (step.kind === "input") return "Input";
  return step.phase === null ? "Passes" : `Phase ${step.phase}: ${PHASES[step.phase] ?? ""}`;
}

function plural(number, what) {
  return `${number} ${what}${number === 1 ? "" : what.endsWith("s") ? "es" : "s"}`;
}

function total(counts) {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

class Pipeline {
  constructor(trace, root) {
    this.trace = trace;
    this.root = root;
    this.links = [];
    this.all = true;
    const longest = Math.max(...trace.steps.map((step) => step.seconds), 1e-9);
    let group;
    trace.steps.forEach((step, index) => {
      const title = groupTitle(step);
      if (group?.title !== title) group = this.addGroup(title);
      group.list.append(this.entry(step, index, longest));
      group.seconds += step.seconds;
      group.time.textContent = group.seconds ? milliseconds(group.seconds) : "";
    });
  }

  addGroup(title) {
    const time = element("span");
    const list = element("ol");
    this.root.append(element("section", {}, element("h2", {}, title, time), list));
    return { title, list, time, seconds: 0 };
  }

  entry(step, index, longest) {
    const notes = element("span", { className: "notes" });
    if (step.kind === "pass") {
      const ops = this.trace.opsOf[index] - this.trace.opsOf[index - 1];
      if (ops) notes.append(element("span", { className: "ops", title: "operations more or fewer" }, signed(ops)));
      const rewrites = total(step.rewrites);
      if (rewrites) notes.append(element("span", { title: "rewrites" }, `${rewrites}↻`));
      if (step.remarks.length) notes.append(element("span", { title: "remarks" }, `${step.remarks.length}✎`));
      notes.append(element("span", { className: "time" }, milliseconds(step.seconds)));
    }
    const hits = element("span", { className: "hits" });
    const name = element("span", { className: "name" }, step.name);
    const place = element("span", { className: "place" }, String(index));
    const link = element("a", { href: `#pass=${index}` }, place, name, hits, notes);
    link.style.setProperty("--share", `${(100 * step.seconds) / longest}%`);
    link.classList.toggle("dimmed", !this.trace.isChanged(index));
    link.classList.toggle("failed", step.error !== "");
    this.links.push(Object.assign(link, { hits }));
    return element("li", {}, link);
  }

  select(index) {
    this.root.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.links[index].setAttribute("aria-current", "page");
    this.links[index].scrollIntoView({ block: "nearest" });
  }

  // Show all passes, or those that changed something.
  showAll(all) {
    this.all = all;
    this.root.classList.toggle("changed-only", !all);
  }

  // The next step in a direction that is not hidden; `index` where there is none.
  neighbour(index, direction) {
    for (let at = index + direction; at >= 0 && at < this.links.length; at += direction) {
      if (this.all || this.trace.isChanged(at)) return at;
    }
    return index;
  }

  // The number of lines found in each step; 0 shows nothing.
  showHits(counts) {
    this.links.forEach((link, index) => (link.hits.textContent = counts[index] ? String(counts[index]) : ""));
  }
}

// The description of a step, above its functions.
function renderSummary(trace, index) {
  const step = trace.steps[index];
  const functions = trace.functionsOf[index].filter((part) => isFunction(part));
  const changed = functions.filter((part) => part.state !== "same").length;
  const facts = element("p", { className: "facts" });
  const fact = (text) => facts.append(element("span", {}, text));
  fact(groupTitle(step));
  if (step.kind === "pass") {
    fact(milliseconds(step.seconds));
    fact(plural(total(step.rewrites), "rewrite"));
    fact(`${changed} of ${plural(functions.length, "function")} changed`);
  }
  const file = element("a", { href: step.file }, step.file);
  facts.append(element("span", {}, file));
  const result = [element("h2", {}, step.spec), facts];
  if (step.error) result.push(element("pre", { className: "error" }, step.error));
  const rewrites = Object.entries(step.rewrites).map(([name, count]) => `${count} × ${name}`);
  if (rewrites.length) result.push(element("p", { className: "facts" }, element("span", {}, rewrites.join(", "))));
  if (step.remarks.length) result.push(renderRemarks(step.remarks));
  if (step.kind !== "code") result.push(renderOps(trace, index));
  return result;
}

function renderRemarks(remarks) {
  const list = element("ul");
  for (const [kind, text] of remarks) {
    list.append(element("li", { className: kind }, element("b", {}, kind), ` ${text}`));
  }
  const details = element("details", { className: "remarks", open: remarks.length <= 5 });
  details.append(element("summary", {}, plural(remarks.length, "remark")), list);
  return details;
}

function renderOps(trace, index) {
  const after = trace.steps[index].ops;
  const before = trace.before(index)?.ops ?? after;
  const table = element("table", { className: "dialects" });
  table.append(element("caption", {}, "operations"));
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const rows = names.map((name) => [name, before[name] ?? 0, after[name] ?? 0]);
  const sum = (column) => rows.reduce((total, row) => total + row[column], 0);
  rows.push(["all", sum(1), sum(2)]);
  const cells = (tag, values) => element("tr", {}, ...values.map((value) => element(tag, {}, String(value))));
  table.append(cells("th", rows.map(([name]) => name)));
  table.append(cells("td", rows.map(([, was, is]) => (was === is ? is : `${was} → ${is}`))));
  return table;
}
