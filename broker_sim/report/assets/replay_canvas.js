// The overlay drawn on a canvas: links in one still layer, brokers in another, both redrawn when the view changes, and
// between them what moves.

const LEVELS = 6;
const PADDING = 28;

class OverlayCanvas {
  constructor(canvas, topology, clients) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.linkLayer = document.createElement("canvas");
    this.brokerLayer = document.createElement("canvas");
    this.topology = topology;
    this.clients = clients;
    this.place = new Map(topology.brokers.map((name, place) => [name, place]));
    this.points = unitPoints(topology.positions);
    this.spacing = usualSpacing(this.points);
    this.view = { scale: 1, x: 0, y: 0 };
    this.loads = new Map();
    this.sizes = [];
    this.selected = -1;
    this.tree = null;
  }

  // What the links of a strategy carried, and what its brokers know.
  setFigures(links, brokers) {
    this.loads = new Map();
    for (const [sender, receiver, messages] of links) {
      const key = linkKey(this.place.get(sender), this.place.get(receiver));
      this.loads.set(key, (this.loads.get(key) || 0) + messages);
    }
    this.heaviest = Math.max(1, ...this.loads.values());
    this.sizes = this.topology.brokers.map((name) => brokers[name] || [0, 0, 0]);
    this.largest = Math.max(1, ...this.sizes.map(([, srt, prt]) => srt + prt));
  }

  resize() {
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    for (const canvas of [this.canvas, this.linkLayer, this.brokerLayer]) {
      canvas.width = Math.round(this.width * ratio);
      canvas.height = Math.round(this.height * ratio);
    }
    this.ratio = ratio;
    this.paintStill();
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const { view } = this;
    const scale = Math.min(40, Math.max(1, view.scale * factor));
    view.x = x - ((x - view.x) * scale) / view.scale;
    view.y = y - ((y - view.y) * scale) / view.scale;
    view.scale = scale;
    this.pan(0, 0);
  }

  pan(x, y) {
    const { view } = this;
    view.x = Math.min(0, Math.max(this.width * (1 - view.scale), view.x + x));
    view.y = Math.min(0, Math.max(this.height * (1 - view.scale), view.y + y));
    this.canvas.style.touchAction = view.scale > 1 ? "none" : "pan-y";
    this.paintStill();
  }

  fit() {
    this.view = { scale: 1, x: 0, y: 0 };
    this.pan(0, 0);
  }

  locate() {
    const { scale, x, y } = this.view;
    const width = this.width - 2 * PADDING;
    const height = this.height - 2 * PADDING;
    const stretch = Math.min(width, height);
    // Wide windows draw wide pictures, up to three to two, so that names have room.
    const across = Math.min(width, stretch * 1.5);
    const down = Math.min(height, stretch * 1.5);
    const left = PADDING + (width - across) / 2;
    const top = PADDING + (height - down) / 2;
    this.xs = this.points.map(([each]) => (left + each * across) * scale + x);
    this.ys = this.points.map(([, each]) => (top + each * down) * scale + y);
    this.radius = Math.min(17, Math.max(2, 0.4 * this.spacing * stretch * scale));
  }

  readColours() {
    const names = ["--line", "--ink", "--muted", "--panel", "--accent", "--faint"];
    this.colours = Object.fromEntries(names.map((name) => [name, colour(name)]));
    this.kinds = Object.fromEntries(KINDS.map((kind) => [kind, colour(`--${kind}`)]));
    this.levels = Array.from({ length: LEVELS }, (_, level) => colour(`--level-${level}`));
  }

  paintStill() {
    if (!this.width) return;
    this.readColours();
    this.locate();
    this.paintLinks(this.cleared(this.linkLayer));
    this.paintBrokers(this.cleared(this.brokerLayer));
  }

  cleared(layer) {
    const context = layer.getContext("2d");
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    return context;
  }

  paintLinks(context) {
    for (const { first, second } of this.topology.links) {
      const [from, to] = [this.place.get(first), this.place.get(second)];
      const load = this.loads.get(linkKey(from, to)) || 0;
      const widest = Math.min(10, Math.max(3, this.radius * 0.9));
      const inTree = this.tree && this.tree.has(linkKey(from, to));
      context.globalAlpha = this.tree ? (inTree ? 0.4 : 0.3) : 1;
      context.strokeStyle = inTree ? this.kinds.publish : this.colours["--line"];
      context.lineWidth = (inTree ? 1.5 : 0) + 0.8 + widest * Math.sqrt(load / this.heaviest);
      context.beginPath();
      context.moveTo(this.xs[from], this.ys[from]);
      context.lineTo(this.xs[to], this.ys[to]);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  paintBrokers(context) {
    const { radius } = this;
    context.textAlign = "center";
    context.textBaseline = "middle";
    this.topology.brokers.forEach((name, place) => {
      const [x, y] = [this.xs[place], this.ys[place]];
      if (x < -40 || y < -40 || x > this.width + 40 || y > this.height + 40) return;
      const [, srt, prt] = this.sizes[place] || [0, 0, 0];
      const level = Math.min(LEVELS - 1, Math.floor(Math.sqrt((srt + prt) / this.largest) * LEVELS));
      const role = this.clients.get(name);
      context.beginPath();
      context.arc(x, y, radius, 0, 7);
      context.fillStyle = this.levels[level] || this.levels[0];
      context.fill();
      context.lineWidth = role ? Math.max(0.8, radius / 6) : 0.6;
      context.strokeStyle = role ? this.kinds[role] : this.colours["--panel"];
      context.stroke();
      if (place === this.selected) {
        context.beginPath();
        context.arc(x, y, radius + 5, 0, 7);
        context.lineWidth = 3;
        context.strokeStyle = this.colours["--accent"];
        context.stroke();
      }
      this.paintName(context, name, x, y, level);
    });
  }

  // Inside the broker where it fits, below it where there is room, else not at all: zooming in brings it.
  paintName(context, name, x, y, level) {
    const label = this.topology.labels[name] || name;
    const inside = label.length <= 4 && this.radius >= 2 + 1.8 * label.length;
    if (!inside && this.radius < 11) return;
    const size = inside ? Math.min(13, (2.6 * this.radius) / Math.max(2, label.length)) : 11;
    const onDark = level >= LEVELS / 2 ? this.colours["--panel"] : this.colours["--ink"];
    context.font = `600 ${size}px system-ui, sans-serif`;
    context.fillStyle = inside ? onDark : this.colours["--muted"];
    context.fillText(label.slice(0, 24), x, inside ? y + 0.5 : y + this.radius + 9);
  }

  paint(film, when) {
    const { context } = this;
    if (!this.width) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.linkLayer, 0, 0);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    for (const hop of film.underWay(when)) this.paintHop(context, film, hop, when);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.brokerLayer, 0, 0);
  }

  paintHop(context, film, hop, when) {
    const { sender, receiver, departed, travel, span, kind, messages } = film.hops;
    const [from, to] = [film.place[sender[hop]], film.place[receiver[hop]]];
    const shade = this.kinds[film.kinds[kind[hop]]];
    context.strokeStyle = shade;
    context.fillStyle = shade;
    if (from < 0 || to < 0) {
      this.paintPulse(context, from < 0 ? to : from, (when - departed[hop]) / (film.shown[hop] || 1));
      return;
    }
    const size = Math.min(5, Math.max(2.2, this.radius * 0.45)) + Math.min(2.5, Math.log10(messages[hop]));
    const head = (when - departed[hop]) / (travel[hop] || 1);
    const tail = (when - departed[hop] - (span[hop] - travel[hop])) / (travel[hop] || 1);
    const [x1, y1] = this.between(from, to, Math.max(0, tail));
    const [x2, y2] = this.between(from, to, Math.min(1, head));
    context.globalAlpha = 0.55;
    context.lineWidth = Math.max(1.5, size * 0.7);
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
    context.globalAlpha = 1;
    if (head > 0.9) this.paintPulse(context, to, (head - 0.9) * 3);
    if (head <= 1) this.paintDot(context, x2, y2, size);
    if (tail >= 0 && span[hop] > travel[hop]) this.paintDot(context, x1, y1, size);
  }

  paintDot(context, x, y, size) {
    context.beginPath();
    context.arc(x, y, size, 0, 7);
    context.fill();
  }

  paintPulse(context, place, share) {
    if (place < 0) return;
    context.globalAlpha = Math.max(0, 1 - share);
    context.lineWidth = 2.5;
    context.beginPath();
    context.arc(this.xs[place], this.ys[place], this.radius + 2 + 10 * Math.max(0, share), 0, 7);
    context.stroke();
    context.globalAlpha = 1;
  }

  between(from, to, share) {
    return [
      this.xs[from] + (this.xs[to] - this.xs[from]) * share,
      this.ys[from] + (this.ys[to] - this.ys[from]) * share,
    ];
  }

  // The broker at a place of the canvas, or -1.
  brokerAt(x, y) {
    let best = -1;
    let nearestSquare = Math.max(this.radius + 6, 12) ** 2;
    this.xs.forEach((each, place) => {
      const square = (each - x) ** 2 + (this.ys[place] - y) ** 2;
      if (square < nearestSquare) [best, nearestSquare] = [place, square];
    });
    return best;
  }
}

function linkKey(first, second) {
  return first < second ? first * 1e6 + second : second * 1e6 + first;
}

// Positions moved into a square of side 1, north up.
function unitPoints(positions) {
  const xs = positions.map(([x]) => x);
  const ys = positions.map(([, y]) => y);
  const [left, bottom] = [minimum(xs), minimum(ys)];
  const across = maximum(xs) - left;
  const up = maximum(ys) - bottom;
  return positions.map(([x, y]) => [across ? (x - left) / across : 0.5, up ? 1 - (y - bottom) / up : 0.5]);
}

function minimum(values) {
  return values.reduce((least, value) => Math.min(least, value), Infinity);
}

function maximum(values) {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}

// How far brokers are apart: a tenth of them have a nearer neighbour than this. Asks at most 2,000 of them.
function usualSpacing(points) {
  const stride = Math.ceil(points.length / 2000);
  const nearestOnes = [];
  for (let one = 0; one < points.length; one += stride) {
    let best = Infinity;
    for (let other = 0; other < points.length; other += 1) {
      if (other === one) continue;
      const square = (points[one][0] - points[other][0]) ** 2 + (points[one][1] - points[other][1]) ** 2;
      if (square < best && square > 0) best = square;
    }
    nearestOnes.push(Math.sqrt(best));
  }
  nearestOnes.sort((first, second) => first - second);
  const found = nearestOnes[Math.floor(nearestOnes.length / 10)];
  return Number.isFinite(found) ? found : 1;
}
