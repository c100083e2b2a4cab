// What-if: the posteriors of all variables for the levels that were chosen.
//
// Messages are passed in the junction tree that stands in the data: from the leaves to the roots, and back.
// A level that was chosen is an indicator in every clique that holds its variable. Each clique keeps the
// product of its tables; messages are scaled so that no number gets too small.

/// The engine for the tables and the tree of a page.
function makeEngine(nodes, tree) {
  const levels = nodes.map(node => node.levels.length);

  // The table of each clique: its variables, the last of which changes fastest, and their strides.
  const cliques = tree.cliques.map((vars, i) => {
    const strides = new Array(vars.length);
    let size = 1;
    for (let k = vars.length - 1; k >= 0; k--) {
      strides[k] = size;
      size *= levels[vars[k]];
    }
    return { vars, strides, size, parent: tree.parents[i], base: new Float64Array(size).fill(1), work: null };
  });

  // For each entry of a clique its place in a smaller table over some of its variables.
  function places(clique, vars) {
    const steps = clique.vars.map(() => 0);
    let stride = 1;
    for (let k = vars.length - 1; k >= 0; k--) {
      const at = clique.vars.indexOf(vars[k]);
      if (at >= 0) steps[at] = stride;
      stride *= levels[vars[k]];
    }
    const found = new Int32Array(clique.size);
    const counter = new Array(clique.vars.length).fill(0);
    let place = 0;
    for (let entry = 0; entry < clique.size; entry++) {
      found[entry] = place;
      for (let k = clique.vars.length - 1; k >= 0; k--) {
        place += steps[k];
        if (++counter[k] < levels[clique.vars[k]]) break;
        place -= steps[k] * counter[k];
        counter[k] = 0;
      }
    }
    return found;
  }

  nodes.forEach((node, v) => {
    const home = tree.homes[v];
    if (home === null) return;
    const clique = cliques[home], at = places(clique, [...node.given, v]);
    const table = normalised(node.table, levels[v]);
    for (let entry = 0; entry < clique.size; entry++) clique.base[entry] *= table[at[entry]];
  });

  // What a clique shares with the one that it hangs on.
  for (const clique of cliques) {
    if (clique.parent === null) continue;
    const parent = cliques[clique.parent];
    const shared = clique.vars.filter(v => parent.vars.includes(v));
    clique.entries = shared.reduce((n, v) => n * levels[v], 1);
    clique.own = places(clique, shared);
    clique.above = places(parent, shared);
  }

  // Each variable is read off the smallest clique that holds it.
  const reader = nodes.map((_, v) => {
    let best = null;
    for (const clique of cliques) {
      if (clique.vars.includes(v) && (best === null || clique.size < best.size)) best = clique;
    }
    return best && { clique: best, stride: best.strides[best.vars.indexOf(v)] };
  });

  /// For a Map from variable to level: the posteriors, and the logarithm of the probability of the evidence;
  /// or null if the levels cannot occur together.
  function posteriors(evidence) {
    let lnEvidence = 0;
    for (const clique of cliques) {
      clique.work = Float64Array.from(clique.base);
      clique.vars.forEach((v, k) => {
        if (!evidence.has(v)) return;
        const stride = clique.strides[k], n = levels[v], chosen = evidence.get(v);
        for (let entry = 0; entry < clique.size; entry++) {
          if (Math.floor(entry / stride) % n !== chosen) clique.work[entry] = 0;
        }
      });
    }
    for (let c = cliques.length - 1; c >= 0; c--) {
      const clique = cliques[c];
      if (clique.parent === null) {
        const total = sum(clique.work);
        if (total === 0) return null;
        lnEvidence += Math.log(total);
        continue;
      }
      clique.up = collapse(clique.work, clique.own, clique.entries);
      const scale = scaled(clique.up);
      if (scale === 0) return null;
      lnEvidence += Math.log(scale);
      const parent = cliques[clique.parent];
      for (let entry = 0; entry < parent.size; entry++) parent.work[entry] *= clique.up[clique.above[entry]];
      const rest = scaled(parent.work);
      if (rest === 0) return null;
      lnEvidence += Math.log(rest);
    }
    for (const clique of cliques) {
      if (clique.parent === null) continue;
      const down = collapse(cliques[clique.parent].work, clique.above, clique.entries);
      for (let i = 0; i < down.length; i++) down[i] = clique.up[i] > 0 ? down[i] / clique.up[i] : 0;
      scaled(down);
      for (let entry = 0; entry < clique.size; entry++) clique.work[entry] *= down[clique.own[entry]];
      scaled(clique.work);
    }
    const found = nodes.map((_, v) => {
      if (reader[v] === null) return [1];
      const { clique, stride } = reader[v], result = new Array(levels[v]).fill(0);
      for (let entry = 0; entry < clique.size; entry++) {
        result[Math.floor(entry / stride) % levels[v]] += clique.work[entry];
      }
      const total = result.reduce((a, b) => a + b, 0);
      return result.map(p => p / total);
    });
    return { found, lnEvidence };
  }

  return { posteriors };
}

/// The rows of a table, each divided by its sum, which may be off 1 by a rounding.
function normalised(table, levels) {
  const result = Float64Array.from(table);
  for (let row = 0; row < table.length; row += levels) {
    let total = 0;
    for (let k = 0; k < levels; k++) total += table[row + k];
    for (let k = 0; k < levels; k++) result[row + k] /= total;
  }
  return result;
}

function collapse(table, places, entries) {
  const message = new Float64Array(entries);
  for (let entry = 0; entry < table.length; entry++) message[places[entry]] += table[entry];
  return message;
}

function sum(table) {
  let total = 0;
  for (const p of table) total += p;
  return total;
}

/// Divides by the largest entry, which is returned.
function scaled(table) {
  let largest = 0;
  for (const p of table) if (p > largest) largest = p;
  if (largest > 0) for (let i = 0; i < table.length; i++) table[i] /= largest;
  return largest;
}
