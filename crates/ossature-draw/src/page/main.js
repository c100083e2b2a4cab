// Puts the page together: what is selected, what is chosen, which edges are shown.

(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const engine = data.tree ? makeEngine(data.nodes, data.tree) : null;
  const chosen = new Map();
  const prior = engine ? engine.posteriors(new Map()) : null;
  let answer = prior, selected = null;

  const said = text => { document.getElementById("said").textContent = text; };

  function select(what, centre = false) {
    selected = what;
    highlight();
    panels.select(what);
    if (what === null) return;
    panels.show("selection");
    if ("node" in what) {
      view.makeFocusable(what.node);
      const node = data.nodes[what.node];
      if (centre) view.centre(node.x, node.y);
      said(`${node.name} is selected`);
    } else {
      const edge = data.edges[what.edge], from = data.nodes[edge.from], to = data.nodes[edge.to];
      if (centre) view.centre((from.x + to.x) / 2, (from.y + to.y) / 2);
      said(`${panels.edgeName(edge)} is selected`);
    }
  }

  /// Marks what is selected and what is beside it; the rest steps back.
  function highlight() {
    const nodes = new Set(), edges = new Set();
    let blanket = new Set();
    if (selected && "node" in selected) {
      nodes.add(selected.node);
      blanket = new Set(panels.near[selected.node].blanket);
      panels.near[selected.node].edges.forEach(i => edges.add(i));
    } else if (selected) {
      edges.add(selected.edge);
      nodes.add(data.edges[selected.edge].from).add(data.edges[selected.edge].to);
    }
    const around = new Set([...nodes, ...blanket]);
    edges.forEach(i => around.add(data.edges[i].from).add(data.edges[i].to));
    document.getElementById("drawing").classList.toggle("selecting", selected !== null);
    view.nodes.forEach((node, i) => {
      node.classList.toggle("selected", nodes.has(i));
      node.classList.toggle("near", around.has(i));
    });
    view.edges.forEach((edge, i) => edge.classList.toggle("near", edges.has(i)));
  }

  function choose(i, k) {
    if (chosen.get(i) === k) chosen.delete(i);
    else chosen.set(i, k);
    think();
    said(answer === null ? "These levels cannot occur together." : chosen.has(i) ? `What if ${data.nodes[i].name} is ${data.nodes[i].levels[k]}` : `${data.nodes[i].name} is no longer set`);
  }

  function think() {
    answer = chosen.size === 0 ? prior : engine.posteriors(chosen);
    panels.refresh();
    beliefs();
  }

  /// How far each distribution has moved from where it was with nothing chosen: half the sum of the changes.
  function changes() {
    if (!answer) return null;
    return answer.found.map((now, i) => now.reduce((total, p, k) => total + Math.abs(p - prior.found[i][k]), 0) / 2);
  }

  // The distribution of each node as a strip at the foot of its box.
  const strips = data.nodes.map((node, i) => {
    if (!engine || node.levels.length > 40) return null;
    const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.setAttribute("class", "strip");
    const parts = node.levels.map((_, k) => {
      const part = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      part.setAttribute("y", node.y + node.h - 8);
      part.setAttribute("height", 5);
      part.style.setProperty("--shade", node.levels.length === 1 ? 1 : 0.18 + 0.82 * (1 - k / (node.levels.length - 1)));
      group.append(part);
      return part;
    });
    const box = document.querySelector(`.node[data-node="${i}"]`);
    box.querySelector("text").setAttribute("dy", "-3");
    box.querySelector("text").after(group);
    return parts;
  });
  function beliefs() {
    const moved = changes();
    data.nodes.forEach((node, i) => {
      const box = view.nodes[i];
      box.classList.toggle("chosen", chosen.has(i));
      box.classList.toggle("moved", moved !== null && !chosen.has(i) && moved[i] >= 0.1);
      const words = answer && node.levels.length > 0 ? node.levels.map((level, k) => `${level} ${percent(answer.found[i][k])}`).slice(0, 12).join(", ") : "";
      box.querySelector("title").textContent = words ? `${node.name}: ${words}` : node.name;
      box.setAttribute("aria-label", words && (chosen.size > 0) ? `${node.name}: ${words}` : node.name);
      if (!strips[i]) return;
      const width = 2 * node.w - 12;
      let at = node.x - node.w + 6;
      strips[i].forEach((part, k) => {
        const w = answer ? width * answer.found[i][k] : 0;
        part.setAttribute("x", at);
        part.setAttribute("width", w);
        at += w;
      });
    });
  }

  const view = makeView(data, what => select(what));
  const panels = makePanels(data, {
    can: engine !== null, select, choose, changes,
    clear: () => { chosen.clear(); think(); said("Nothing is chosen."); },
    chosen: () => chosen,
    posteriors: () => answer,
  });
  panels.select(null);
  beliefs();

  // Strength: lines as wide as their edges are strong, and a slider that keeps the strongest.
  const strengths = data.edges.map(edge => edge.strength).filter(s => s !== null);
  if (strengths.length > 0) {
    const most = Math.max(...strengths), least = Math.min(0, ...strengths);
    view.edges.forEach((edge, i) => {
      const s = data.edges[i].strength;
      const share = s === null || most <= least ? 0.3 : (s - least) / (most - least);
      edge.querySelector(".line").style.setProperty("--width", `${(0.9 + 2.3 * Math.sqrt(share)).toFixed(2)}px`);
    });
  }
  if (strengths.length > 1) {
    const ranked = data.edges.map((_, i) => i).sort((a, b) => (data.edges[b].strength ?? -Infinity) - (data.edges[a].strength ?? -Infinity) || a - b);
    const slider = document.getElementById("strength"), shown = document.getElementById("strength-shown");
    document.getElementById("strength-tool").hidden = false;
    document.getElementById("strength-tool").title = `Strength: ${data.strength.meaning}`;
    slider.max = ranked.length;
    slider.value = ranked.length;
    const cut = () => {
      const keep = Number(slider.value);
      const weakest = keep > 0 ? data.edges[ranked[keep - 1]].shown : null;
      shown.textContent = keep === ranked.length ? `all ${keep}` : keep === 0 ? "none" : `${keep} strongest (≥ ${weakest})`;
      slider.setAttribute("aria-valuetext", `${shown.textContent}, ${data.strength.name}`);
      const kept = new Set(ranked.slice(0, keep));
      view.edges.forEach((edge, i) => edge.classList.toggle("weak", !kept.has(i)));
    };
    slider.addEventListener("input", cut);
    cut();
  }

  // A comparison: each kind of edge can be taken away.
  if (data.comparison) {
    const tool = document.getElementById("kinds-tool");
    tool.hidden = false;
    for (const [kind, title] of [["same", "alike"], ["missing", "only in A"], ["extra", "only in B"], ["turned", "turned"]]) {
      const box = make("input", { type: "checkbox", id: `kind-${kind}`, checked: true });
      box.addEventListener("change", () => view.edges.forEach((edge, i) => {
        if (data.edges[i].kind === kind) edge.classList.toggle("weak", !box.checked);
      }));
      tool.append(make("label", { class: `kind ${kind}` }, box, ` ${title}`));
    }
    panels.show("list");
  }

  // Search: names that contain what is typed are marked; Enter or a whole name goes there.
  const search = document.getElementById("search");
  document.getElementById("names").append(...data.nodes.map(node => make("option", { value: node.name })));
  const matches = () => {
    const text = search.value.trim().toLowerCase();
    return text === "" ? [] : data.nodes.map((_, i) => i).filter(i => data.nodes[i].name.toLowerCase().includes(text));
  };
  const goTo = i => { select({ node: i }, true); };
  search.addEventListener("input", () => {
    const found = new Set(matches());
    view.nodes.forEach((node, i) => node.classList.toggle("found", found.has(i)));
    const exact = data.nodes.findIndex(node => node.name === search.value);
    if (exact >= 0 && found.size === 1) goTo(exact);
    else if (search.value.trim() !== "") said(`${plural(found.size, "name")} found`);
  });
  search.addEventListener("keydown", event => {
    if (event.key !== "Enter") return;
    const found = matches(), typed = search.value.trim().toLowerCase();
    const best = found.find(i => data.nodes[i].name.toLowerCase() === typed)
      ?? found.find(i => data.nodes[i].name.toLowerCase().startsWith(typed)) ?? found[0];
    if (best === undefined) said("No name contains that.");
    else goTo(best);
  });

  document.addEventListener("keydown", event => {
    const typing = event.target.closest("input, select, textarea");
    if (event.key === "Escape") {
      search.value = "";
      view.nodes.forEach(node => node.classList.remove("found"));
      select(null);
    } else if (typing || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    } else if (event.key === "/") {
      event.preventDefault();
      search.focus();
    } else if (event.key === "+" || event.key === "=") view.zoom(1.3);
    else if (event.key === "-") view.zoom(1 / 1.3);
    else if (event.key === "0") view.fit();
  });
})();
