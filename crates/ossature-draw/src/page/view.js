// The drawing: pan, zoom, and the way from node to node by the keyboard.

/// Makes the drawing move. `select` is called with what was clicked: {node}, {edge} or nothing.
function makeView(data, select) {
  const stage = document.getElementById("stage"), svg = document.getElementById("drawing");
  const world = document.getElementById("world");
  const nodes = [...svg.querySelectorAll(".node")], edges = [...svg.querySelectorAll(".edge")];
  const whole = { width: Number(svg.dataset.width), height: Number(svg.dataset.height) };
  const largest = 4;
  let x = 0, y = 0, scale = 1, least = 0.02, focused = 0;

  function size() {
    const box = stage.getBoundingClientRect();
    return { width: box.width, height: box.height, left: box.left, top: box.top };
  }

  function draw() {
    world.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
  }

  /// The whole drawing in the middle of the stage; small ones are not blown up beyond reading size.
  function fit() {
    const { width, height } = size();
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    scale = Math.min(width / whole.width, height / whole.height, 1.6);
    least = Math.min(scale, 0.25);
    x = (width - whole.width * scale) / 2;
    y = (height - whole.height * scale) / 2;
    draw();
  }

  /// Zooms by a factor so that a point of the stage stays where it is.
  function zoom(factor, atX, atY) {
    const { width, height } = size();
    atX = atX ?? width / 2;
    atY = atY ?? height / 2;
    const next = Math.min(largest, Math.max(least, scale * factor));
    x = atX - (atX - x) * next / scale;
    y = atY - (atY - y) * next / scale;
    scale = next;
    draw();
  }

  /// Brings a point of the drawing to the middle, large enough to be read.
  function centre(px, py) {
    const { width, height } = size();
    scale = Math.max(scale, 0.8);
    x = width / 2 - px * scale;
    y = height / 2 - py * scale;
    draw();
  }

  /// Moves a node into sight if it is not.
  function reveal(i) {
    const { width, height } = size(), node = data.nodes[i];
    const sx = x + node.x * scale, sy = y + node.y * scale, margin = 30;
    if (sx < margin || sy < margin || sx > width - margin || sy > height - margin || scale < 0.3) centre(node.x, node.y);
  }

  // Pointers: one drags, two pinch; one that did not move has clicked.
  const pointers = new Map();
  let moved = 0, pinch = null;
  const spread = () => {
    const [a, b] = [...pointers.values()];
    const { left, top } = size();
    return { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2 - left, y: (a.y + b.y) / 2 - top };
  };
  svg.addEventListener("pointerdown", event => {
    if (event.button !== 0) return;
    if (pointers.size === 0) moved = 0;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, target: event.target });
    svg.setPointerCapture(event.pointerId);
    pinch = pointers.size === 2 ? spread() : null;
  });
  svg.addEventListener("pointermove", event => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const dx = event.clientX - last.x, dy = event.clientY - last.y;
    last.x = event.clientX;
    last.y = event.clientY;
    moved += Math.abs(dx) + Math.abs(dy);
    if (pointers.size === 1) {
      x += dx;
      y += dy;
      draw();
    } else if (pinch && pointers.size === 2) {
      const now = spread();
      x += now.x - pinch.x;
      y += now.y - pinch.y;
      zoom(now.distance / pinch.distance, now.x, now.y);
      pinch = now;
    }
  });
  const release = event => {
    const last = pointers.get(event.pointerId);
    pointers.delete(event.pointerId);
    pinch = null;
    if (!last || event.type === "pointercancel" || moved > 6) return;
    const node = last.target.closest(".node"), edge = last.target.closest(".edge");
    if (node) select({ node: Number(node.dataset.node) });
    else if (edge) select({ edge: Number(edge.dataset.edge) });
    else select(null);
  };
  svg.addEventListener("pointerup", release);
  svg.addEventListener("pointercancel", release);
  svg.addEventListener("wheel", event => {
    event.preventDefault();
    const { left, top } = size();
    const step = event.deltaMode === 1 ? 30 : 1;
    zoom(Math.exp(-event.deltaY * step * 0.0015), event.clientX - left, event.clientY - top);
  }, { passive: false });

  // The keyboard: one node is in the order of tabs, arrow keys go to the nearest in their direction.
  function makeFocusable(i) {
    nodes[focused]?.setAttribute("tabindex", "-1");
    focused = i;
    nodes[focused]?.setAttribute("tabindex", "0");
  }
  function nearest(i, dx, dy) {
    const from = data.nodes[i];
    let best = null, price = Infinity;
    data.nodes.forEach((node, j) => {
      const ahead = (node.x - from.x) * dx + (node.y - from.y) * dy;
      const aside = Math.abs((node.x - from.x) * dy) + Math.abs((node.y - from.y) * dx);
      const cost = ahead + 2.5 * aside;
      if (j !== i && ahead > 1 && aside <= 4 * ahead && cost < price) [best, price] = [j, cost];
    });
    return best;
  }
  const ways = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  svg.addEventListener("keydown", event => {
    const node = event.target.closest(".node");
    if (!node) return;
    const i = Number(node.dataset.node);
    if (ways[event.key]) {
      event.preventDefault();
      const next = nearest(i, ...ways[event.key]);
      if (next !== null) {
        makeFocusable(next);
        reveal(next);
        nodes[next].focus({ preventScroll: true });
      }
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      select({ node: i });
    }
  });

  if (nodes.length > 0) makeFocusable(data.nodes.reduce((top, node, i) => node.y < data.nodes[top].y ? i : top, 0));
  document.getElementById("zoom-in").addEventListener("click", () => zoom(1.3));
  document.getElementById("zoom-out").addEventListener("click", () => zoom(1 / 1.3));
  document.getElementById("fit").addEventListener("click", fit);
  let before = [0, 0];
  new ResizeObserver(() => {
    const { width, height } = size();
    if (width > 0 && (width !== before[0] || height !== before[1])) {
      before = [width, height];
      fit();
    }
  }).observe(stage);
  // On paper the whole drawing is shown, whatever part was looked at.
  addEventListener("beforeprint", () => {
    svg.setAttribute("viewBox", `0 0 ${whole.width} ${whole.height}`);
    world.removeAttribute("transform");
  });
  addEventListener("afterprint", fit);
  fit();

  return { nodes, edges, zoom, fit, centre, reveal, makeFocusable };
}
