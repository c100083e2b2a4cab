// The panels beside the drawing: what is selected, what if, and everything as a list to read.

/// A new element with attributes and children; texts become text, so that no name can be markup.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") element.addEventListener("click", value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter(child => child !== null && child !== undefined));
  return element;
}

const percent = p => p === 0 || p === 1 ? `${100 * p} %` : p < 0.001 ? "< 0.1 %" : p > 0.999 ? "> 99.9 %" : `${(100 * p).toFixed(1)} %`;
const plural = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;

/// Who is beside whom.
function relations(data) {
  const of = data.nodes.map(() => ({ parents: [], children: [], neighbours: [], edges: [] }));
  data.edges.forEach((edge, i) => {
    of[edge.from].edges.push(i);
    of[edge.to].edges.push(i);
    if (edge.directed) {
      of[edge.from].children.push(edge.to);
      of[edge.to].parents.push(edge.from);
    } else {
      of[edge.from].neighbours.push(edge.to);
      of[edge.to].neighbours.push(edge.from);
    }
  });
  // The blanket by the DAG of the tables where there is one: it is the same for the whole class.
  const tables = data.nodes.some(node => node.levels.length > 0 || node.regressions.length > 0);
  const parents = data.nodes.map((node, i) => tables ? [...node.given, ...node.on] : of[i].parents);
  of.forEach((mine, i) => {
    const blanket = new Set([...parents[i], ...mine.neighbours]);
    parents.forEach((theirs, child) => {
      if (theirs.includes(i)) [child, ...theirs].forEach(v => blanket.add(v));
    });
    blanket.delete(i);
    mine.blanket = [...blanket].sort((a, b) => a - b);
  });
  return of;
}

/// The panels. `go` has what they can cause: select, choose, clear, chosen, posteriors.
function makePanels(data, go) {
  const near = relations(data);
  const panels = { selection: null, whatif: null, list: null };
  for (const name of Object.keys(panels)) panels[name] = document.getElementById(`panel-${name}`);
  const titles = { selection: "Selection", whatif: "What if", list: data.comparison ? "Differences" : "List" };
  const tabs = {};

  function show(name, focus = false) {
    for (const other of Object.keys(tabs)) {
      const on = other === name;
      tabs[other].setAttribute("aria-selected", on);
      tabs[other].setAttribute("tabindex", on ? "0" : "-1");
      panels[other].hidden = !on;
    }
    if (focus) tabs[name].focus();
  }
  const shown = Object.keys(panels).filter(name => name !== "whatif" || !data.comparison);
  for (const name of shown) {
    tabs[name] = make("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: () => show(name),
    }, titles[name]);
    tabs[name].addEventListener("keydown", event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) show(shown[(shown.indexOf(name) + step + shown.length) % shown.length], true);
    });
    document.getElementById("tabs").append(tabs[name]);
  }
  if (data.comparison) panels.whatif.remove();

  const nodeButton = i => make("button", { type: "button", class: "link", onclick: () => go.select({ node: i }, true) }, data.nodes[i].name);
  const edgeName = edge => `${data.nodes[edge.from].name} ${edge.directed ? "→" : "–"} ${data.nodes[edge.to].name}`;
  const edgeButton = i => make("button", { type: "button", class: "link", onclick: () => go.select({ edge: i }, true) }, edgeName(data.edges[i]));
  const row = (name, buttons) => buttons.length === 0 ? null : [make("dt", {}, name), make("dd", { class: "names" }, buttons)];

  /// The levels of a node with their probabilities; a click chooses one or lets it go.
  function levels(i) {
    const node = data.nodes[i];
    return make("div", { class: "levels", role: "group", "aria-label": `Levels of ${node.name}` }, node.levels.map((level, k) =>
      make("button", {
        type: "button", class: "level", "data-node": i, "data-level": k, "aria-pressed": "false", disabled: !go.can,
        title: go.can ? "Choose this level" : null, onclick: () => go.choose(i, k),
      }, make("span", { class: "bar" }), make("span", { class: "word" }, level), make("span", { class: "figure" }))));
  }

  /// The table of a node, or its regressions; the first rows if there are many.
  function table(i) {
    const node = data.nodes[i], n = node.levels.length, most = 64;
    const continuous = node.regressions.length > 0;
    const rows = continuous ? node.regressions.length : node.table.length / n;
    const cells = continuous
      ? r => node.regressions[r]
      : r => node.levels.map((_, k) => node.table[r * n + k].toFixed(4).replace(/^0\.0000$/, "0").replace(/^1\.0000$/, "1"));
    const heads = continuous ? ["intercept", ...node.on.map(p => `× ${data.nodes[p].name}`), "sd"] : node.levels;
    const sizes = node.given.map(p => data.nodes[p].levels.length);
    const body = [];
    for (let r = 0; r < Math.min(rows, most); r++) {
      let rest = r;
      const given = sizes.map(() => 0);
      for (let k = sizes.length - 1; k >= 0; k--) {
        given[k] = rest % sizes[k];
        rest = Math.floor(rest / sizes[k]);
      }
      body.push(make("tr", {}, given.map((level, k) => make("th", { scope: "row" }, data.nodes[node.given[k]].levels[level])),
        cells(r).map(cell => make("td", {}, cell))));
    }
    const title = continuous ? "Regression" : node.given.length === 0 ? "Distribution" : "Table";
    return [
      make("h3", {}, title),
      continuous ? make("p", { class: "note" }, node.on.length === 0
        ? "A normal distribution with this mean and standard deviation (sd)."
        : "The mean is the intercept and the sum of its parents, each times its coefficient; around it the standard deviation (sd).") : null,
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `${title} of ${node.name}` }, make("table", {},
        make("thead", {}, make("tr", {}, node.given.map(p => make("th", { scope: "col" }, data.nodes[p].name)), heads.map(head => make("th", { scope: "col", class: "own" }, head)))),
        make("tbody", {}, body))),
      rows > most ? make("p", { class: "note" }, `The first ${most} of ${rows} rows.`) : null,
    ];
  }

  function nodePanel(i) {
    const node = data.nodes[i], mine = near[i];
    return [
      make("h2", { tabindex: "-1" }, node.name),
      node.levels.length > 0 ? [make("h3", {}, "Levels"), levels(i)] : null,
      make("h3", {}, "Beside it"),
      mine.edges.length === 0 ? make("p", {}, "It has no edges.") : make("dl", {},
        row("Parents", mine.parents.map(nodeButton)), row("Children", mine.children.map(nodeButton)),
        row("Without direction", mine.neighbours.map(nodeButton)),
        data.comparison ? null : row("Markov blanket", mine.blanket.map(nodeButton)),
        row(data.comparison ? "Edges" : "Evidence of edges", mine.edges.map(edgeButton))),
      node.levels.length > 0 || node.regressions.length > 0 ? table(i) : null,
      separated(i),
    ];
  }

  /// Pairs with this node that are not adjacent, and what separated them.
  function separated(i) {
    const pairs = data.separations.filter(s => s[0] === i || s[1] === i);
    if (pairs.length === 0) return null;
    return make("details", {}, make("summary", {}, `Why no edge? ${plural(pairs.length, "variable")} separated by a set`),
      make("ul", {}, pairs.map(([x, y, set, p, power]) => make("li", {}, nodeButton(x === i ? y : x), " given ",
        set.map(v => data.nodes[v].name).join(", "), power ? ` (p ${p < 0.001 ? "< 0.001" : p.toFixed(3)})` : " (too few rows for a test with power)"))));
  }

  function edgePanel(i) {
    const edge = data.edges[i];
    return [
      make("h2", { tabindex: "-1" }, edgeName(edge)),
      make("p", {}, "Between ", nodeButton(edge.from), " and ", nodeButton(edge.to), edge.directed ? "." : "; the direction is open."),
      edge.facts.length > 0 ? make("dl", {}, edge.facts.map(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])) : null,
      edge.sentences.map(sentence => make("p", {}, sentence)),
    ];
  }

  function select(what) {
    panels.selection.replaceChildren(...[what === null ? help() : "node" in what ? nodePanel(what.node) : edgePanel(what.edge)].flat(9).filter(Boolean));
    refresh();
  }

  function help() {
    return [
      make("p", {}, "Click a node or an edge to see what is known about it."),
      make("p", { class: "note" }, "Drag to move, wheel or pinch to zoom. Keys: / finds, arrow keys go from node to node, Enter selects, + − 0 zoom, Esc deselects."),
    ];
  }

  // What if.
  const status = make("div", { id: "evidence" });
  const order = make("select", { id: "order" }, make("option", { value: "name" }, "by name"), make("option", { value: "change" }, "by change"));
  const cards = data.nodes.map((node, i) => node.levels.length === 0 ? null : make("section", { class: "card", "data-card": i }, make("h3", {}, nodeButton(i)), levels(i)));
  const list = make("div", { class: "cards" }, cards);
  if (!data.comparison) {
    panels.whatif.append(...(go.can
      ? [make("p", { class: "note" }, "Choose levels; the distributions of all other variables follow."), status,
        make("p", {}, make("label", { for: "order" }, "Order "), order), list]
      : [make("p", {}, data.refusal ?? "")]));
    order.addEventListener("change", refresh);
  }

  /// Brings every probability that is shown up to date.
  function refresh() {
    const answer = go.posteriors(), chosen = go.chosen();
    for (const button of document.querySelectorAll(".level")) {
      const i = Number(button.dataset.node), k = Number(button.dataset.level), p = answer?.found[i][k];
      button.setAttribute("aria-pressed", String(chosen.get(i) === k));
      button.querySelector(".bar").style.width = p === undefined ? "0" : `${100 * p}%`;
      button.querySelector(".figure").textContent = p === undefined ? "" : percent(p);
      if (p === undefined) delete button.dataset.p;
      else button.dataset.p = String(p);
    }
    if (!go.can || data.comparison) return;
    const chips = [...chosen].map(([i, k]) => make("button", { type: "button", class: "chip", "aria-label": `Remove ${data.nodes[i].name} = ${data.nodes[i].levels[k]}`, onclick: () => go.choose(i, k) }, `${data.nodes[i].name} = ${data.nodes[i].levels[k]} ×`));
    const words = chosen.size === 0 ? "Nothing is chosen." : answer === null ? "These levels cannot occur together." : `Probability of the chosen levels: ${probability(answer.lnEvidence)}`;
    status.replaceChildren(make("p", { class: answer === null ? "warning" : "" }, words), ...chips,
      ...(chips.length > 0 ? [make("button", { type: "button", id: "clear", onclick: go.clear }, "Clear")] : []));
    const changes = go.changes();
    const sorted = cards.map((card, i) => i).filter(i => cards[i] !== null);
    if (order.value === "change" && changes) sorted.sort((a, b) => changes[b] - changes[a] || a - b);
    cards.forEach((card, i) => card?.classList.toggle("chosen", chosen.has(i)));
    const before = [...list.children].map(card => Number(card.dataset.card));
    if (before.some((i, place) => i !== sorted[place])) list.replaceChildren(...sorted.map(i => cards[i]));
  }

  function probability(ln) {
    const p = Math.exp(ln);
    return p === 0 ? `e^${ln.toFixed(1)}` : p < 0.0001 ? p.toExponential(3) : p.toFixed(4);
  }

  // Everything as a list.
  function edgeTable(edges) {
    const strength = data.strength;
    return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Edges" }, make("table", { class: "wide" },
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Edge"), strength ? make("th", { scope: "col" }, strength.name) : null)),
      make("tbody", {}, edges.map(i => make("tr", {}, make("td", {}, edgeButton(i)), strength ? make("td", {}, data.edges[i].shown ?? "–") : null)))));
  }
  if (data.comparison) {
    const kinds = [["missing", "Only in A"], ["extra", "Only in B"], ["turned", "Other direction in B"], ["same", "Alike"]];
    for (const [kind, title] of kinds) {
      const edges = data.edges.map((_, i) => i).filter(i => data.edges[i].kind === kind);
      panels.list.append(make("h2", { class: `kind ${kind}` }, `${title} (${edges.length})`));
      if (edges.length > 0) {
        panels.list.append(make("ul", {}, edges.map(i => make("li", {}, edgeButton(i), kind === "turned" ? `: ${data.edges[i].sentences[0]}` : null))));
      }
    }
  } else {
    const strongest = data.edges.map((_, i) => i);
    if (data.strength) strongest.sort((a, b) => (data.edges[b].strength ?? -1) - (data.edges[a].strength ?? -1) || a - b);
    panels.list.append(make("h2", {}, plural(data.edges.length, "edge")),
      ...(data.strength ? [make("p", { class: "note" }, `The strongest first: ${data.strength.meaning}.`)] : []),
      edgeTable(strongest));
    if (data.plot) {
      const figure = make("figure", { class: "plot" });
      figure.innerHTML = data.plot; // made by the program, without foreign text
      panels.list.append(make("h2", {}, "Strengths of all edges that were found"), figure);
    }
    panels.list.append(make("h2", {}, plural(data.nodes.length, "variable")), make("ul", { class: "reading" }, data.nodes.map((node, i) => make("li", {}, nodeButton(i),
      sentence(near[i].parents, "depends on"), sentence(near[i].children, "acts on"), sentence(near[i].neighbours, "has an undirected edge to"),
      near[i].edges.length === 0 ? " has no edges" : null))));
  }
  function sentence(list, verb) {
    return list.length === 0 ? null : `; ${verb} ${list.map(i => data.nodes[i].name).join(", ")}`;
  }

  show("selection");
  return { near, select, refresh, show, edgeName };
}
